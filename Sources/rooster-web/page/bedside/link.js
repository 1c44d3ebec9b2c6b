// The requests of the virtual bedside. It has a token of its own, apart from the phone that it shows.

const place = "rooster-bedside";
let token = null;

/** Takes the token from the address, from which it then goes, or from an earlier visit of this tab. */
export function findToken() {
  const given = new URLSearchParams(location.hash.slice(1)).get("token");
  try {
    if (given) sessionStorage.setItem(place, given);
    token = given ?? sessionStorage.getItem(place);
  } catch {
    token = given;
  }
  if (given) history.replaceState(null, "", location.pathname);
  return token !== null;
}

/** Sends a request. Throws the service's reason, or "noConnection" as the name. */
export async function ask(method, path, body, headers = {}) {
  return send(method, path, body, { ...headers, Authorization: `Bearer ${token}` }, "omit");
}

async function send(method, path, body, headers, credentials) {
  let response;
  try {
    response = await fetch(`/api/1${path}`, {
      method, credentials, cache: "no-store", body: body && JSON.stringify(body),
      headers: body ? { ...headers, "Content-Type": "application/json" } : headers,
    });
  } catch {
    throw Object.assign(new Error("noConnection"), { name: "noConnection" });
  }
  const answer = await response.json().catch(() => ({}));
  if (!response.ok) throw Object.assign(new Error(answer.detail ?? String(response.status)), { name: answer.name ?? "" });
  return answer;
}

/** Changes the simulated hardware. */
export const change = (body) => ask("POST", "/bedside", body);

/** Pairs the phone of this page, unless it is paired. */
export async function pairPhone(name) {
  const { client } = await send("GET", "", null, {}, "same-origin");
  if (client) return;
  const { secret } = await ask("POST", "/clients/invite");
  await send("POST", "/pair/claim", { secret, name }, {}, "same-origin");
}
