"""Scenarios of codes."""

import json
import os
import re
import subprocess

from page_fixture import expect
from page_scenarios import scenario


def scan(stage, path):
    """The codes in a picture, as the decoders of the camera read them."""
    run = subprocess.run(
        [os.path.join(stage.built, "rooster"), "scan", "--json", path], capture_output=True, text=True, check=False)
    expect(run.returncode == 0, f"rooster scan says {run.stderr}")
    return json.loads(run.stdout)["payloads"]


@scenario()
def printed_sheet(stage):
    """The sheet on paper has a code that the camera reads, another one each time, and that can be enrolled."""
    rooster, phone, payloads = stage.rooster, stage.phone("codes?do=print"), []
    # A page of Letter, which is lower than A4, at 96 points an inch.
    for label in "bathroom", "Mum & Dad's <kitchen>":
        phone.open("codes?do=print")
        phone.write("textbox", "^Where does it hang", label)
        phone.press("button", "^Make a sheet$")
        phone.find("image", f"^A sheet with a new code for {re.escape(label)}$")
        phone.find("button", "^Print$")
        phone.size(816, 1056)
        phone.cdp("Emulation.setEmulatedMedia", media="print")
        height = phone.script("return document.documentElement.scrollHeight")
        expect(height <= 1056, f"The sheet takes more than a page: {height}")
        path = os.path.join(rooster.folder, "sheet.png")
        phone.picture(path)
        phone.cdp("Emulation.setEmulatedMedia", media="")
        phone.media()
        phone.size(390, 844)
        payloads += scan(stage, path)
    expect(len(set(payloads)) == 2, f"The sheets have {payloads}")
    for payload in payloads:
        expect(re.fullmatch("ROOSTER-[A-Z2-7]{26}", payload), f"A sheet has {payload}")
    rooster.enrol("bathroom", payloads[0])
    [code] = rooster.ask("GET", "codes")["codes"]
    expected = rooster.ask("POST", "codes/print", {"payload": payloads[0]})
    expect(code["fingerprint"] == expected["fingerprint"], f"It is enrolled as {code}")
