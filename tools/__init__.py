"""What turns the chapters into notebooks and the notebooks into the site."""

import sys

# jsonschema would load this grammar, to check a kind of address that no notebook has, and take
# three seconds of every run for it.  It does without where the import fails.
sys.modules.setdefault("rfc3987_syntax", None)
