#!/usr/bin/env python3
"""Opens report pages in a headless browser, and reports their faults.

    python3 tools/browser_check.py path/to/linsep [folder for screenshots]

Fits the examples with --report, and opens each page in light mode, in dark mode, on a narrow screen
and as printed. Checks that the browser logged no errors, fetched nothing, and rendered every plot
and table of the page. Screenshots are left in the folder, for visual inspection. Without a browser
it prints a message and exits with 77, which is neither success nor failure.
"""

import pathlib
import re
import shutil
import struct
import subprocess
import sys
import tempfile

BROWSERS = ["chromium", "chromium-browser", "google-chrome", "google-chrome-stable"]
FITS = {
    "iris": ["iris.csv", "--holdout", "0.3"],
    "gales": ["gales.csv", "--method", "logistic"],
    "perceptron": ["gales.csv", "--method", "perceptron"],
}
LOOKS = {"light": [], "dark": ["--blink-settings=preferredColorScheme=0"], "narrow": []}


def browse(browser, page, *options):
    """Runs the browser once; returns its output, and its error messages."""
    with tempfile.TemporaryDirectory() as profile:
        run = subprocess.run(
            [browser, "--headless", "--no-sandbox", "--disable-gpu", "--hide-scrollbars", "--no-first-run",
             f"--user-data-dir={profile}", "--enable-logging=stderr", "--virtual-time-budget=2000",
             *options, page.as_uri()],
            capture_output=True, text=True, timeout=180, check=False)
    complaints = [line for line in run.stderr.splitlines()
                  if "CONSOLE" in line or "Failed to load" in line or "net::ERR" in line]
    return run.stdout, complaints


def size_of(png):
    """Width and height of a PNG, from its header."""
    return struct.unpack(">II", png.read_bytes()[16:24])


def check(browser, page, folder):
    """Returns all faults of a page."""
    wrong = []
    source = page.read_text(encoding="utf-8")
    dom, complaints = browse(browser, page, "--dump-dom")
    wrong += complaints
    for tag in ["svg", "table", "h2", "section", "caption", "dl"]:
        there, drawn = (len(re.findall(f"<{tag}[ >]", text)) for text in (source, dom))
        if there != drawn:
            wrong.append(f"{there} <{tag}> in the file, {drawn} in the browser")
    for look, options in LOOKS.items():
        wide = 420 if look == "narrow" else 1100
        picture = folder / f"{page.stem}-{look}.png"
        _, complaints = browse(browser, page, *options, f"--window-size={wide},5200", f"--screenshot={picture}")
        wrong += complaints
        if not picture.exists():
            wrong.append(f"no picture of the page in {look}")
        elif size_of(picture)[0] != wide:
            wrong.append(f"{look}: the picture is {size_of(picture)}")
    paper = folder / f"{page.stem}.pdf"
    _, complaints = browse(browser, page, "--no-pdf-header-footer", f"--print-to-pdf={paper}")
    wrong += complaints
    if not paper.exists() or not paper.read_bytes().startswith(b"%PDF"):
        wrong.append("it cannot be printed")
    return wrong


def main():
    if len(sys.argv) < 2:
        sys.exit(__doc__)
    browser = next(filter(None, map(shutil.which, BROWSERS)), None)
    if browser is None:
        print(f"NOT CHECKED: there is no browser (looked for {', '.join(BROWSERS)})")
        sys.exit(77)
    linsep = pathlib.Path(sys.argv[1]).resolve()
    examples = pathlib.Path(__file__).resolve().parent.parent / "examples"
    folder = pathlib.Path(sys.argv[2] if len(sys.argv) > 2 else tempfile.mkdtemp()).resolve()
    folder.mkdir(parents=True, exist_ok=True)
    failed = False
    for name, words in FITS.items():
        page = folder / f"{name}.html"
        command = [linsep, "fit", examples / words[0], *words[1:], "-o", folder / f"{name}.linsep", "--report", page]
        subprocess.run(command, check=True, capture_output=True)
        wrong = check(browser, page, folder)
        failed |= bool(wrong)
        print(f"{page}: {'; '.join(wrong) or 'fine'}")
    print(f"pictures of the pages are in {folder}")
    sys.exit(1 if failed else 0)


if __name__ == "__main__":
    main()
