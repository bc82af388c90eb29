"""Sphinx's settings. Nothing here may make a page load something from another host."""

import princeps

project = "princeps"
author = "the authors of princeps"
version = release = princeps.__version__
extensions = ["myst_parser", "sphinx_copybutton"]
exclude_patterns = ["_extra"]
suppress_warnings = ["misc.highlighting_failure"]  # outputs that are no complete programs

myst_heading_anchors = 4
myst_enable_extensions = ["colon_fence", "deflist"]

html_theme = "furo"
html_title = f"princeps {version}"
html_static_path = ["static"]
html_css_files = ["site.css"]
html_show_sphinx = False
html_copy_source = False
html_show_sourcelink = False
html_show_copyright = False
html_theme_options = {
    "navigation_with_keys": True,
    "light_css_variables": {"color-brand-primary": "#0b5cad", "color-brand-content": "#0b5cad"},
    "dark_css_variables": {"color-brand-primary": "#7db7f2", "color-brand-content": "#7db7f2"},
}
highlight_language = "text"  # of a block that names no language
smartquotes = False  # `--json` in a sentence keeps its two dashes
pygments_style = "friendly"
pygments_dark_style = "github-dark"

copybutton_prompt_text = "$ "  # the button of a console block copies its commands alone
copybutton_only_copy_prompt_lines = True
copybutton_remove_prompts = True
copybutton_exclude = ".linenos, .gp"
