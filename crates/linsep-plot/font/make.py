"""Converts a font to the glyph table in this folder. Written with fonttools 4.68.0 from Inter
4.001:

    python3 make.py Inter-Regular.ttf glyphs.txt

A line is a character: its code point, its advance width, and its outline. The outline is a list of
relative moves in units of 1/2048 of the size, y upwards: m dx dy, l dx dy, q dx dy dx dy (control
point and end point, both relative to the last end), z. A move is also relative to the last point,
whether the contour is closed or not. The first line, of code point 0, is a frame that replaces
missing characters.
"""

import sys

from fontTools.pens.recordingPen import DecomposingRecordingPen
from fontTools.pens.basePen import decomposeQuadraticSegment
from fontTools.ttLib import TTFont

# # Latin, Greek and Cyrillic letters for names of columns and classes, and mathematical signs.
BLOCKS = [
    (0x20, 0x7E), (0xA0, 0x17F), (0x18F, 0x18F), (0x1A0, 0x1A1), (0x1AF, 0x1B0), (0x218, 0x21B), (0x2C6, 0x2DC),
    (0x384, 0x3CE), (0x400, 0x45F), (0x490, 0x491), (0x1D62, 0x1D65), (0x1E80, 0x1E85), (0x1E90, 0x1E91),
    (0x2010, 0x2027), (0x2030, 0x203A), (0x2070, 0x209C), (0x20AC, 0x20AC), (0x2113, 0x2113), (0x2116, 0x2116),
    (0x2122, 0x2122), (0x2190, 0x2199), (0x2200, 0x22FF), (0x25A0, 0x25FF), (0x2C7C, 0x2C7C),
]

FRAME = "0 1344 m 192 0 l 0 1456 l 960 0 l 0 -1456 z m -832 128 l 704 0 l 0 1200 l -704 0 z"


def outline(glyphs, name):
    pen = DecomposingRecordingPen(glyphs)
    glyphs[name].draw(pen)
    words, at = [], (0, 0)

    def go(command, *points):
        nonlocal at
        words.append(command)
        for x, y in points:
            words.append(f"{round(x) - at[0]} {round(y) - at[1]}")
        at = (round(points[-1][0]), round(points[-1][1]))

    for command, points in pen.value:
        if command == "moveTo":
            go("m", points[0])
        elif command == "lineTo":
            go("l", points[0])
        elif command == "qCurveTo":
            if points[-1] is None:  # closed, without a corner: start between two control points
                first, last = points[0], points[-2]
                start = ((first[0] + last[0]) / 2, (first[1] + last[1]) / 2)
                go("m", start)
                points = (*points[:-1], start)
            for control, end in decomposeQuadraticSegment(points):
                go("q", control, end)
        elif command == "closePath":
            words.append("z")
        else:
            raise ValueError(f"{name} has {command}")
    return " ".join(words)


def main(source, target):
    font = TTFont(source)
    glyphs, characters = font.getGlyphSet(), font.getBestCmap()
    assert font["head"].unitsPerEm == 2048
    wanted = [c for first, last in BLOCKS for c in range(first, last + 1) if c in characters]
    with open(target, "w", encoding="ascii") as out:
        print(FRAME, file=out)
        for code in wanted:
            name = characters[code]
            print(f"{code:x} {round(glyphs[name].width)} {outline(glyphs, name)}".rstrip(), file=out)


main(*sys.argv[1:])
