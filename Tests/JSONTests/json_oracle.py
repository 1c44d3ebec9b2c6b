"""The values of texts by Python's json.

Reads lines of hexadecimal digits, the bytes of one text each, and prints for each "refused", or the value in
Rooster's one-line form, in hexadecimal digits.

Python is laxer than RFC 8259 and Rooster in these points. This script makes it as strict:
- Python reads NaN, Infinity and -Infinity, which are not JSON.
- Python takes the last of two members with one name. Rooster refuses both, even if the names differ only in their
  Unicode composition.
- Python reads half a surrogate pair, which is not a character.
- Python rounds numbers; this script keeps their digits.
- Python detects UTF-16 and UTF-32; RFC 8259 requires UTF-8. Both accept a byte order mark.
The generated texts avoid two more points: Python limits the depth only by its stack, and never limits combining marks.
"""
import json
import sys
import unicodedata


class Number(str):
    pass


class Members(list):
    pass


def members(pairs):
    names = {unicodedata.normalize("NFC", name) for name, _ in pairs}
    if len(names) < len(pairs):
        raise ValueError("a name stands there twice")
    return Members(pairs)


def refuse(word):
    raise ValueError(word)


SHORT = {'"': '\\"', "\\": "\\\\", "\n": "\\n", "\r": "\\r", "\t": "\\t"}


def quoted(text):
    return '"' + "".join(SHORT.get(c) or (f"\\u{ord(c):04x}" if c < " " else c) for c in text) + '"'


def written(value):
    if isinstance(value, Number):
        return str(value)
    if isinstance(value, str):
        return quoted(value)
    if isinstance(value, Members):
        return "{" + ",".join(quoted(name) + ":" + written(member) for name, member in value) + "}"
    if isinstance(value, list):
        return "[" + ",".join(map(written, value)) + "]"
    return {None: "null", True: "true", False: "false"}[value]


for line in sys.stdin:
    try:
        text = bytes.fromhex(line).decode("utf-8-sig")
        value = json.loads(
            text, parse_int=Number, parse_float=Number, parse_constant=refuse, object_pairs_hook=members)
        print(written(value).encode().hex())
    except ValueError:
        print("refused")
