"""Scenarios of codes and of sounds."""

import json
import os
import re
import subprocess

from page_fixture import expect, wait_for
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


@scenario()
def own_sound(stage):
    """A sound from a file is added, heard and deleted, and what is no sound is refused with the reason."""
    rooster = stage.rooster
    phone = stage.phone("settings/sounds")
    phone.see("There is none yet")

    def add(name, content):
        path = os.path.join(rooster.folder, name)
        with open(path, "wb") as file:
            file.write(content)
        phone.driver.find_element("css selector", "input[type=file]").send_keys(path)

    def names():
        return [sound["id"] for sound in rooster.ask("GET", "sounds")["sounds"] if "." in sound["id"]]

    run = subprocess.run(
        [os.path.join(stage.built, "rooster"), "sound", "save", "bells02", f"{rooster.folder}/bells.wav"], check=True)
    with open(f"{rooster.folder}/bells.wav", "rb") as file:
        bells = file.read()
    expect(run.returncode == 0 and len(bells) > 3 * 46080, f"The sound has {len(bells)} bytes")
    add("morning music.wav", bells)
    wait_for(lambda: names() == ["morning music.wav"], lambda: f"The sounds are {names()}")
    phone.press("button", "^Play morning music.wav on this phone$")
    phone.find("button", "^Stop morning music.wav$")
    phone.press("button", "^Stop morning music.wav$")
    phone.find("button", "^Play morning music.wav on this phone$")
    add("page.mp3", b"<html>")
    phone.see("Cannot be played")
    # A sound that an alarm uses stays.
    rooster.add(id="work", label="Work", time="07:45", ring={"sound": "morning music.wav"}, challenges=[])
    phone.press("button", "^Delete morning music.wav$")
    phone.press("button", "^Delete$")
    phone.see("is in use")
    phone.press("button", "^Cancel$")
    rooster.ask("DELETE", "alarms/work", revision="*")
    phone.press("button", "^Delete morning music.wav$")
    phone.press("button", "^Delete$")
    phone.see("There is none yet")
    expect(names() == [], f"The sounds are {names()}")
