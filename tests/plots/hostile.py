"""Answers that try to become more than text. Each would set ``window.pwned``, were it ever run."""

from __future__ import annotations

_RUN = "window.pwned=1"

HOSTILE = (
    f"<script>{_RUN}</script>",
    f"</script><script>{_RUN}</script>",
    f"</SCRIPT ><SCRIPT>{_RUN}</SCRIPT>",
    f"<!--<script>{_RUN}//-->",
    f"]]><script>{_RUN}</script>",
    f"<img src=x onerror={_RUN}>",
    f"<svg onload={_RUN}>",
    f"<svg><script>{_RUN}</script></svg>",
    f"<math><mi xlink:href='javascript:{_RUN}'>x</mi></math>",
    f"<a href='javascript:{_RUN}'>click</a>",
    f"<iframe srcdoc='<script>parent.{_RUN}</script>'></iframe>",
    f"<iframe src='javascript:parent.{_RUN}'>",
    f"<body onload={_RUN}>",
    f"<details open ontoggle={_RUN}>",
    f"<input autofocus onfocus={_RUN}>",
    f"<style>@import 'http://127.0.0.1:9/x.css'; * {{ background: url(javascript:{_RUN}) }}</style>",
    "<link rel=stylesheet href=http://127.0.0.1:9/x.css>",
    f"<meta http-equiv=refresh content='0;url=javascript:{_RUN}'>",
    f"<object data='data:text/html,<script>parent.{_RUN}</script>'></object>",
    f"<template><script>{_RUN}</script></template>",
    f'"><script>{_RUN}</script>',
    f"'-{_RUN}-'",
    f"${{{_RUN}}}",
    f"{{{{ constructor.constructor('{_RUN}')() }}}}{{% raw %}}",
    f"{{# {_RUN} #}}{{{{ self.__init__.__globals__ }}}}",
    f"[x](javascript:{_RUN}) ![x](http://127.0.0.1:9/x.png)",
)
