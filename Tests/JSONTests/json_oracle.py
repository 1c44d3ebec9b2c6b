"""What Python's json says of texts.

Reads lines of hexadecimal digits, the bytes of one text each, and prints for each "refused", or in hexadecimal digits
the value written on one line as Rooster writes it.

Python is laxer than RFC 8259 and than Rooster in these, and is made as strict here:
- NaN, Infinity and -Infinity are read; they are no JSON.
- Of two members with one name the last is taken; Rooster refuses both, also where the names differ only in how Unicode
  composes them.
- Half a surrogate pair is read; it is no character.
- Numbers lose their digits; here they are kept as they are written.
- UTF-16 and UTF-32 are guessed at; RFC 8259 wants UTF-8. A byte order mark before it is let pass by both.
Not met by the generated texts: Python reads any depth that its stack bears, and any number of marks on a character.
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
