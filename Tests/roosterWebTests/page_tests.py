"""Tests the page of Rooster in Chromium, against real processes with simulated hardware.

    page_tests.py --built DIR [--full] [--pictures DIR] [NAME…]

DIR has roosterd and rooster-web. Without names, the fast scenarios run, or all with `--full`. The output has one line for
each problem, and "NOT TESTED: …" for what could not be tested.
"""

import argparse
import concurrent.futures
import os
import sys
import time
import traceback

sys.dont_write_bytecode = True

import page_checks  # noqa: E402
import page_alarms  # noqa: E402, F401
import page_codes  # noqa: E402, F401
import page_hardship  # noqa: E402, F401
import page_ringing  # noqa: E402, F401
import page_screens  # noqa: E402, F401
from page_fixture import Failure, Refused  # noqa: E402
from page_scenarios import SCENARIOS, Stage  # noqa: E402
from selenium.common.exceptions import WebDriverException  # noqa: E402


def run(function, built, arguments, pictures):
    """Returns what went wrong."""
    wrong = []
    stage = None
    try:
        stage = Stage(built, **arguments)
        wrong += function(stage) or []
    except (Failure, Refused) as error:
        line = next((one.lineno for one in reversed(traceback.extract_tb(error.__traceback__)) if function.__module__ in one.filename), 0)
        wrong.append(f"line {line}: {error}")
    except (WebDriverException, OSError, KeyError, TypeError, ValueError) as error:
        wrong.append(" ".join(traceback.format_exception(error, limit=-3))[-900:])
    for number, phone in enumerate(stage.phones if stage else []):
        try:
            wrong += phone.mistakes()
            if wrong and pictures:
                phone.picture(os.path.join(pictures, f"{function.__name__}-{number}.png"))
        except WebDriverException as error:
            wrong.append(f"the browser has ended: {error.msg}")
    if stage:
        stage.end()
    return [f"{function.__name__}: {' '.join(one.split())}" for one in wrong]


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--built", required=True)
    parser.add_argument("--full", action="store_true")
    parser.add_argument("--pictures", help="a folder for pictures of what went wrong")
    parser.add_argument("--times", action="store_true", help="say how long each scenario took")
    parser.add_argument("names", nargs="*")
    parser.add_argument("--jobs", type=int, default=2, help="so many scenarios at once")
    given = parser.parse_args()
    if not page_checks.axe_source():
        print(f"NOT TESTED: the page by axe {page_checks.AXE_VERSION}: it is not installed", flush=True)

    def perform(entry):
        function, _, arguments = entry
        begin = time.monotonic()
        lines = run(function, given.built, arguments, given.pictures)
        return function.__name__, lines, time.monotonic() - begin

    chosen = [entry for entry in SCENARIOS if (
        entry[0].__name__ in given.names if given.names else entry[1] or given.full)]
    with concurrent.futures.ThreadPoolExecutor(given.jobs) as pool:
        for name, lines, seconds in pool.map(perform, chosen):
            for line in lines:
                print(line, flush=True)
            if given.times:
                print(f"{name} took {seconds:.1f} s", file=sys.stderr, flush=True)


if __name__ == "__main__":
    main()
