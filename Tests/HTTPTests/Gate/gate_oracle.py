"""The rules of the gate a second time, with Python's regular expressions, urllib and ipaddress.

heads: reads a request a line, as hexadecimal words: the address of the connection's own end, method, target,
version, then name and value of each header. Prints "ok" with the decoded parts, or "refused" with every rule that
the request breaks. Rooster reports only the first one.

escapes: reads hexadecimal words and prints their bytes without escapes, or "refused".

addresses: reads 16 or 4 bytes as hexadecimal words, and prints whether the address is answered.

literals: reads hexadecimal words and prints the bytes of the IPv6 address that they spell, or "refused".
"""
import ipaddress
import re
import sys
import unicodedata
import urllib.parse

METHODS = {b"GET", b"HEAD", b"POST", b"PUT", b"PATCH", b"DELETE"}
TOKEN = re.compile(rb"[A-Za-z0-9!#$%&'*+.^_`|~-]+")
PATH = re.compile(rb"(?:[A-Za-z0-9._~!$&'()*+,;=:@%-])*")
QUERY = re.compile(rb"(?:[A-Za-z0-9._~!$&'()*+,;=:@%/?-])*")
VALUE = re.compile(rb"[\t\x20-\x7e\x80-\xff]*")
TAGS = re.compile(rb'(?:[ \t,]*(?:W/)?"[\x21\x23-\x7e\x80-\xff]*"[ \t]*(?:,|$))+[ \t,]*')
TAG = re.compile(rb'(W/)?"([\x21\x23-\x7e\x80-\xff]*)"')
SINGLE = {b"host", b"content-length", b"transfer-encoding", b"content-type", b"authorization", b"cookie", b"origin",
          b"last-event-id", b"idempotency-key"}
PRIVATE = [ipaddress.ip_network(n) for n in (
    "127.0.0.0/8", "10.0.0.0/8", "172.16.0.0/12", "192.168.0.0/16", "100.64.0.0/10", "169.254.0.0/16", "::1/128",
    "fe80::/10", "fc00::/7")]


def hexadecimal(data):
    return data.hex() or "-"


def escapes(data):
    if re.search(rb"%(?![0-9A-Fa-f]{2})", data):
        return None
    return urllib.parse.unquote_to_bytes(data)


def decoded(data, broken):
    data = escapes(data)
    if data is None:
        broken.add("malformedEscape")
        return b""
    try:
        text = data.decode("utf-8")
    except UnicodeDecodeError:
        broken.add("notUTF8")
        return b""
    if any(unicodedata.category(c) == "Cc" for c in text):
        broken.add("controlCharacter")
    return data


def target(data, broken):
    if len(data) > 4096:
        broken.add("targetTooLong")
    if not data.startswith(b"/"):
        broken.add("notOriginForm")
        return [], []
    path, _, query = data.partition(b"?")
    segments = path.split(b"/")[1:] if path != b"/" else []
    if b"" in segments:
        broken.add("emptySegment")
    if not PATH.fullmatch(path.replace(b"/", b"")) or not QUERY.fullmatch(query):
        broken.add("malformedTarget")
    segments = [decoded(s, broken) for s in segments]
    if any(part in (b".", b"..") for s in segments for part in s.split(b"/")):
        broken.add("dotSegment")
    items = []
    for item in query.split(b"&"):
        if item:
            name, _, value = item.replace(b"+", b" ").partition(b"=")
            items.append((decoded(name, broken), decoded(value, broken)))
    return segments, items


def ipv6(text):
    match = re.fullmatch(r"([0-9a-fA-F:.]+)(?:%[A-Za-z0-9._~%-]+)?", text)
    if not match:
        return None
    try:
        address = ipaddress.IPv6Address(match[1])
    except ValueError:
        return None
    return address.ipv4_mapped or address


def authority(data):
    """Returns host and port, or None."""
    match = re.fullmatch(rb"(\[[^\]]*\]|[A-Za-z0-9._-]+)(?::([0-9]{0,5}))?", data)
    if not match:
        return None
    port = int(match[2]) if match[2] else None
    if port is not None and not 0 < port < 65536:
        return None
    name = match[1].decode("latin-1").lower()
    if name.startswith("["):
        address = ipv6(name[1:-1])
        return (address, port) if address else None
    name = name.removesuffix(".")
    labels = name.split(".")
    if "" in labels or len(name) > 253:
        return None
    if re.fullmatch(r"[0-9]+|0x[0-9a-f]*", labels[-1]):
        try:
            return ipaddress.IPv4Address(name), port
        except ValueError:
            return None
    return name, port


def answers(host, local):
    if host in ("clock.example", ipaddress.ip_address("192.0.2.7"), "rooster.local"):
        return True
    return "." not in host if isinstance(host, str) else host == local


def encodings(values):
    weights = {}
    for element in b",".join(values).lower().split(b","):
        match = re.fullmatch(rb"[ \t]*([^;]*?)[ \t]*(?:;[ \t]*(.*?)[ \t]*)?", element, re.S)
        if match:
            weight = match[2]
            good = weight is None or (
                re.fullmatch(rb"q=(0\.[0-9]{1,3}|1(\.0{1,3})?)", weight) and re.search(rb"[1-9]", weight))
            if weight is None or b";" not in weight:
                weights[match[1]] = bool(good)
    other = weights.get(b"*", False)
    return "".join(code for code, name in (("g", b"gzip"), ("b", b"br")) if weights.get(name, other)) or "-"


def head(local, method, path, version, fields):
    broken = set()
    if not TOKEN.fullmatch(method):
        broken.add("malformedMethod")
    elif method not in METHODS:
        broken.add("unknownMethod")
    if version not in (b"HTTP/1.0", b"HTTP/1.1"):
        broken.add("unknownVersion")
    if len(fields) > 64:
        broken.add("tooManyHeaders")
    if sum(len(n) + len(v) + 4 for n, v in fields) > 16384:
        broken.add("headersTooLong")
    values = {}
    for name, value in fields:
        if not TOKEN.fullmatch(name):
            broken.add("malformedHeaderName")
        if not VALUE.fullmatch(value):
            broken.add("malformedHeaderValue")
        values.setdefault(name.lower(), []).append(value.strip(b" \t"))
    if any(len(values.get(name, [])) > 1 for name in SINGLE):
        broken.add("repeatedHeader")

    def one(name):
        return values.get(name, [None])[0]

    length, coding = one(b"content-length"), one(b"transfer-encoding")
    body = "none"
    if coding is not None:
        body = "chunked"
        if length is not None:
            broken.add("lengthAndCoding")
        if version == b"HTTP/1.0":
            broken.add("codingInOldVersion")
        if coding.lower() != b"chunked":
            broken.add("unknownCoding")
    elif length is not None:
        if not re.fullmatch(rb"[0-9]+", length):
            broken.add("malformedLength")
        elif int(length) >= 1 << 63:
            broken.add("bodyTooLong")
        else:
            body = str(int(length))
    if method in (b"GET", b"HEAD") and body not in ("none", "0"):
        broken.add("unexpectedBody")

    segments, items = target(path, broken)

    host = None
    if one(b"host") is None:
        broken.add("missingHost")
    else:
        host = authority(one(b"host"))
        if host is None:
            broken.add("malformedHost")
        elif not answers(host[0], local):
            broken.add("foreignHost")

    cookies = [c.strip(b" \t") for c in (one(b"cookie") or b"").split(b";")]
    cookies = [c[8:] for c in cookies if c.startswith(b"rooster=")]
    if len(cookies) > 1:
        broken.add("repeatedCookie")
    if method not in (b"GET", b"HEAD"):
        origin = one(b"origin")
        if origin is None:
            if cookies:
                broken.add("missingOrigin")
        else:
            scheme, port = ("https", 443) if local is None else ("http", 80)
            page = authority(origin[len(scheme) + 3:]) if origin.startswith(f"{scheme}://".encode()) else None
            if not page or not host or (page[0], page[1] or port) != (host[0], host[1] or port):
                broken.add("foreignOrigin")

    tags = []
    for name in (b"if-match", b"if-none-match"):
        if name in values:
            text = b",".join(values[name])
            if text != b"*" and not TAGS.fullmatch(text):
                broken.add("malformedCondition")
            tags.append("*" if text == b"*" else str(len(TAG.findall(text))))
        else:
            tags.append("-")
    key = one(b"idempotency-key")
    if key is not None:
        key = key[1:-1] if re.fullmatch(rb'".*"', key, re.S) else key
        if not re.fullmatch(rb'[\x20\x21\x23-\x5b\x5d-\x7e]{1,200}', key):
            broken.add("malformedKey")
    if broken:
        return " ".join(["refused"] + sorted(broken))
    bearer = re.fullmatch(rb"bearer +[ \t]*([A-Za-z0-9!#$%&'*+.^_`|~/=-]+)", one(b"authorization") or b"", re.I)
    credential = "-"
    if bearer:
        credential = "bearer:" + hexadecimal(bearer[1])
    elif cookies:
        credential = "cookie:" + hexadecimal(cookies[0].decode("utf-8", "replace").encode())
    return " ".join([
        "ok", "/".join(map(hexadecimal, segments)) or "root",
        "&".join(hexadecimal(n) + "=" + hexadecimal(v) for n, v in items) or "-", body, str(host[1]), credential,
        *tags, hexadecimal(key or b""), encodings(values.get(b"accept-encoding", []))])


def address(data):
    ip = ipaddress.ip_address(data)
    if ip.version == 6 and ip.ipv4_mapped:
        ip = ip.ipv4_mapped
    return str(any(ip in network for network in PRIVATE if network.version == ip.version)).lower()


def answer(mode, words):
    if mode == "heads":
        local = ipaddress.ip_address(words[0]) if words[0] else None
        return head(local, *words[1:4], list(zip(words[4::2], words[5::2])))
    if mode == "escapes":
        data = escapes(words[0])
        return "refused" if data is None else hexadecimal(data)
    if mode == "addresses":
        return address(words[0])
    ip = ipv6(words[0].decode("latin-1"))
    return hexadecimal(ip.packed) if ip else "refused"


for line in sys.stdin:
    print(answer(sys.argv[1], [bytes.fromhex(w) if w != "-" else b"" for w in line.split()]))
