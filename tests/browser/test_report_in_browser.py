"""The report in a browser: from disk, without a network, by keyboard, on a small screen, for a screen reader."""

from __future__ import annotations

import json
import shutil
import time

import pytest

from marginfs.results.report.write import write_report
from report_run import make_run

webdriver = pytest.importorskip("selenium.webdriver", reason="selenium is not installed")
from selenium.webdriver.common.by import By  # noqa: E402
from selenium.webdriver.common.keys import Keys  # noqa: E402

FLAGS = (
    "--headless",
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--disable-dev-shm-usage",
)


@pytest.fixture(scope="module")
def page(tmp_path_factory):
    folder = tmp_path_factory.mktemp("report") / "quick"
    request = make_run(folder, wide=True)
    write_report(request, folder / "report.html")
    return folder / "report.html"


@pytest.fixture(scope="module")
def browser(tmp_path_factory):
    chromium, driver = shutil.which("chromium"), shutil.which("chromedriver")
    if not chromium or not driver:
        pytest.skip("no chromium and chromedriver; on Debian: apt-get install chromium chromium-driver")
    options = webdriver.ChromeOptions()
    options.binary_location = chromium
    for flag in (*FLAGS, f"--user-data-dir={tmp_path_factory.mktemp('profile')}"):
        options.add_argument(flag)
    options.set_capability("goog:loggingPrefs", {"performance": "ALL", "browser": "ALL"})
    found = webdriver.Chrome(options=options, service=webdriver.ChromeService(driver))
    yield found
    found.quit()


@pytest.fixture
def opened(browser, page):
    browser.set_window_size(1280, 900)
    browser.get(page.as_uri())
    return browser


def see(browser, selector):
    script = "return [...document.querySelectorAll(arguments[0])].filter(part => part.getClientRects().length)"
    return browser.execute_script(script, selector)


def test_one_file_no_request_no_error(browser, page):
    browser.get("about:blank")
    for kind in ("performance", "browser"):
        browser.get_log(kind)
    browser.get(page.as_uri())
    messages = [json.loads(entry["message"])["message"] for entry in browser.get_log("performance")]
    asked = {m["params"]["request"]["url"] for m in messages if m["method"] == "Network.requestWillBeSent"}
    assert {url for url in asked if not url.startswith("data:")} == {page.as_uri()}
    assert browser.get_log("browser") == []
    assert page.stat().st_size < 10e6


def test_first_screen_answers_what_came_back(opened):
    bottom = "return document.querySelector('.provenance').getBoundingClientRect().bottom"
    assert opened.execute_script(bottom) < 900
    shown = opened.find_element(By.CSS_SELECTOR, "header").text
    for words in ("quick", "klement2010", "14 of 15 printed numbers match or are close, 1 differs", "seed", "commit"):
        assert words in shown


@pytest.mark.parametrize("width", [1280, 400])
def test_nothing_is_wider_than_the_screen(opened, width):
    opened.execute_cdp_cmd(
        "Emulation.setDeviceMetricsOverride",
        {"width": width, "height": 900, "deviceScaleFactor": 1, "mobile": False},
    )
    try:
        opened.execute_script("document.querySelectorAll('details').forEach(part => { part.open = true; })")
        wide = opened.execute_script(
            "const width = document.documentElement.clientWidth;"
            "return [...document.querySelectorAll('table, td, th, pre, img, .entry')].filter(part => {"
            "  const box = part.getBoundingClientRect();"
            "  const inside = part.clientWidth && part.scrollWidth > part.clientWidth + 1;"
            "  return box.width && (box.right > width + 1 || inside);"
            "}).map(part => part.tagName + ' ' + part.className + ' ' + part.textContent.slice(0, 60))"
        )
        assert wide == []
        assert opened.execute_script("return document.documentElement.scrollWidth") <= width
    finally:
        opened.execute_cdp_cmd("Emulation.clearDeviceMetricsOverride", {})


def test_filters_hide_what_is_not_asked_for(opened):
    for box in opened.find_elements(By.CSS_SELECTOR, "input[name=verdict]"):
        if box.get_attribute("value") != "differs":
            box.click()
    shown = see(opened, "#klement2010 .entry:not(.dim)")
    assert [entry.get_attribute("data-row") for entry in shown] == ["20"]
    assert not see(opened, "#aksu2008 details.table:has(.entry)"), "a table without such a number is hidden"
    assert "numbers shown" in opened.find_element(By.TAG_NAME, "output").text
    for box in opened.find_elements(By.CSS_SELECTOR, "input[name=paper]"):
        if box.get_attribute("value") != "rakotomamonjy2003":
            box.click()
    assert [part.get_attribute("id") for part in see(opened, "section.paper")] == ["rakotomamonjy2003"]
    for box in opened.find_elements(By.CSS_SELECTOR, "input[name=claim]"):
        if box.get_attribute("value") != "fails":
            box.click()
    assert {row.get_attribute("data-claim") for row in see(opened, "tr[data-claim]")} <= {"fails"}
    opened.find_element(By.CSS_SELECTOR, "button[type=reset]").click()
    time.sleep(0.1)
    assert len(see(opened, "section.paper")) == 4
    assert not opened.find_elements(By.CSS_SELECTOR, ".dim")


def test_tables_sort_by_keyboard_and_come_back(opened):
    def column():
        cells = opened.find_elements(By.CSS_SELECTOR, "#klement2010-table-1 .grid tbody tr td:nth-child(2) .ours")
        return [float(cell.text.split()[0]) for cell in cells]

    heading = opened.find_element(By.CSS_SELECTOR, "#klement2010-table-1 .grid thead th:nth-child(2)")
    printed = column()
    for order, wanted in (("ascending", sorted(printed)), ("descending", sorted(printed)[::-1]), (None, printed)):
        heading.find_element(By.TAG_NAME, "button").send_keys(Keys.ENTER)
        assert heading.get_attribute("aria-sort") == order
        assert column() == wanted


def test_pictures_say_what_they_show(opened):
    texts = [image.get_attribute("alt") for image in opened.find_elements(By.TAG_NAME, "img")]
    assert len(texts) >= 8
    assert all(len(text) > 30 for text in texts)
    assert any("Curves: Weston et al., SFM" in text for text in texts)


def test_a_link_opens_its_table(opened, page):
    opened.get("about:blank")
    opened.get(page.as_uri() + "#rakotomamonjy2003-table-3")
    assert opened.find_element(By.ID, "rakotomamonjy2003-table-3").get_attribute("open")


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_axe_finds_nothing_serious(opened, scheme):
    axe = pytest.importorskip("axe_core_python.selenium", reason="axe-core-python is not installed").Axe()
    features = [{"name": "prefers-color-scheme", "value": scheme}]
    opened.execute_cdp_cmd("Emulation.setEmulatedMedia", {"features": features})
    opened.execute_script("document.querySelectorAll('#klement2010 details').forEach(part => { part.open = true; })")
    for more_of_the_same in ("planas2021", "rakotomamonjy2003"):
        opened.execute_script("document.getElementById(arguments[0]).remove()", more_of_the_same)
    opened.set_script_timeout(180)
    found = axe.run(opened)
    serious = [problem for problem in found["violations"] if problem["impact"] in ("serious", "critical")]
    assert [(problem["id"], problem["nodes"][0]["html"][:200]) for problem in serious] == []
