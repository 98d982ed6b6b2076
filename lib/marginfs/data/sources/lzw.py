"""The `.Z` files of Unix compress, in which UCI keeps the musk data; no library of the lock file reads them."""

from __future__ import annotations

CLEAR = 256
HEADER = 3


def decompress_lzw(content: bytes, limit: int) -> bytes:
    """Expand a `.Z` file.

    The third byte of the header holds the largest code width and whether code 256 empties the dictionary. Codes are
    packed from the low bit, in groups of eight codes of one width: when the width changes or the dictionary is emptied,
    the rest of the group is padding.

    Parameters
    ----------
    content : bytes
        The file.
    limit : int
        Stop shortly after so many bytes.

    Returns
    -------
    bytes
        The content expanded; ValueError if the file is damaged.
    """
    if len(content) < HEADER or content[:2] != b"\x1f\x9d":
        raise ValueError("not a .Z file")
    max_width, block_mode = content[2] & 0x1F, bool(content[2] & 0x80)
    if not 9 <= max_width <= 16:
        raise ValueError(f"code width {max_width}")
    words: list[bytes] = [bytes([i]) for i in range(256)] + ([b""] if block_mode else [])
    first_free = len(words)
    out = bytearray()
    previous = b""
    width, group_start, bit = 9, HEADER * 8, HEADER * 8
    end = len(content) * 8

    def _next_group() -> int:
        used = bit - group_start
        return group_start + -(-used // (width * 8)) * width * 8

    while bit + width <= end and len(out) <= limit:
        code = (int.from_bytes(content[bit >> 3 : (bit >> 3) + 4], "little") >> (bit & 7)) & ((1 << width) - 1)
        bit += width
        if block_mode and code == CLEAR:
            bit = group_start = _next_group()
            del words[first_free:]
            width, previous = 9, b""
            continue
        if code < len(words):
            word = words[code]
        elif code == len(words) and previous:
            word = previous + previous[:1]
        else:
            raise ValueError(f"code {code} is not in the dictionary")
        out += word
        if previous and len(words) < 1 << max_width:
            words.append(previous + word[:1])
            if len(words) == 1 << width and width < max_width:
                bit = group_start = _next_group()
                width += 1
        previous = word
    return bytes(out)
