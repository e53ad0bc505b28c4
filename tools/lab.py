"""JupyterLab on this book: a double click on a chapter opens it as a notebook.

    python -m tools.lab [options of jupyter lab]
"""

import os
import subprocess
import sys

from jupytext_config.labconfig import LabConfig

from tools.execute import KERNEL_ENV, ROOT


def main(options: list[str]) -> int:
    # The setting goes into a file of this book, not into the reader's own configuration.
    config = ROOT / "_build" / "lab"
    settings = config / "labconfig" / "default_setting_overrides.json"
    settings.parent.mkdir(parents=True, exist_ok=True)
    LabConfig(settings_file=settings).read().set_default_viewers(["markdown", "myst"]).write()
    paths = filter(None, [str(config), os.environ.get("JUPYTER_CONFIG_PATH")])
    env = {**os.environ, **KERNEL_ENV, "JUPYTER_CONFIG_PATH": os.pathsep.join(paths)}
    env.pop("TQDM_DISABLE", None)  # here somebody waits
    start = "--LabApp.default_url=/lab/tree/book/intro.md"
    command = [sys.executable, "-m", "jupyterlab", f"--notebook-dir={ROOT}", start, *options]
    return subprocess.call(command, env=env)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
