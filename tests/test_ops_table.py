"""docs/ops.md is what the op records say, and no record is incomplete without a reason."""

import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]


def test_the_page_is_up_to_date():
    done = subprocess.run(
        [sys.executable, str(ROOT / "tools" / "ops_table.py"), "--check"],
        capture_output=True,
        text=True,
        timeout=600,
    )
    assert done.returncode == 0, f"run `make ops-table`\n{done.stderr}"


def test_no_row_is_incomplete():
    rows = [line for line in (ROOT / "docs" / "ops.md").read_text().splitlines()
            if line.startswith("| `")]
    assert len(rows) > 300
    for line in rows:
        op, _, gradient, second, forward, batch, _ = [
            cell.strip() for cell in line.replace("\\|", "/").strip("|").split("|")]
        assert batch == "yes", op
        reason = gradient.removeprefix("none:").strip() if gradient.startswith("none") else None
        assert reason if reason is not None else gradient == "yes" or gradient, op
        assert (second, forward) == (("–", "–") if reason is not None else ("yes", "yes")), op
