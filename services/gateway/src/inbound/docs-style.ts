/** How the page looks, in light and dark; the gateway allows exactly this style by its hash. */
export const docsStyle = `
:root{color-scheme:light dark;--line:#8884;--soft:#8881;--accent:light-dark(#0b57d0,#8ab4f8)}
*{box-sizing:border-box}
html{scroll-padding-top:1rem}
body{font:16px/1.55 system-ui,sans-serif;margin:0;display:grid;grid-template-columns:17rem minmax(0,1fr)}
nav{position:sticky;top:0;height:100vh;overflow-y:auto;padding:1.5rem 1rem;border-right:1px solid var(--line);font-size:.9rem}
nav h2{font-size:.75rem;text-transform:uppercase;letter-spacing:.06em;margin:1.2rem 0 .3rem;border:0;opacity:.7}
nav ul{list-style:none;margin:0;padding:0}
nav li{padding:.12rem 0}
main{max-width:60rem;padding:1.5rem 2.5rem 6rem}
h1{margin:.2rem 0 1rem;line-height:1.2}
h2{margin:3rem 0 1rem;padding-bottom:.3rem;border-bottom:1px solid var(--line)}
h3{margin:1.8rem 0 .4rem}
h4{margin:1.2rem 0 .3rem}
p{margin:.4rem 0}
a{color:var(--accent);text-decoration:none}
a:hover{text-decoration:underline}
code,pre{font:13.5px/1.5 ui-monospace,monospace;background:var(--soft);border-radius:4px}
code{padding:.1em .3em;overflow-wrap:anywhere}
pre{padding:.8rem 1rem;margin:.4rem 0;overflow-x:auto;border:1px solid var(--line)}
table{border-collapse:collapse;width:100%;margin:.5rem 0;font-size:.95rem}
th,td{text-align:left;vertical-align:top;padding:.4rem .6rem;border-bottom:1px solid var(--line)}
th{font-size:.8rem;opacity:.75}
td p:first-child{margin-top:0}
td:first-child{min-width:9rem}
td:first-child code{white-space:nowrap}
td ul{margin:0;padding-left:1.1rem}
.rules{font-size:.88rem;opacity:.8}
em{font-size:.8rem;opacity:.75}
section{margin:2.5rem 0;padding-top:.5rem;border-top:3px solid var(--line)}
section h3{margin-top:.4rem}
.call{font:600 15px/1.5 ui-monospace,monospace}
.verb,.status{display:inline-block;border-radius:4px;padding:0 .5em;color:#fff;background:#5f6368;font:600 13px/1.7 ui-monospace,monospace}
.post{background:#1a7f37}.get{background:#0b57d0}.delete{background:#b3261e}
.s2{background:#1a7f37}.s4{background:#9a5b00}.s5{background:#b3261e}
.answer{margin:.7rem 0;padding:.6rem .9rem;border:1px solid var(--line);border-radius:6px}
summary{cursor:pointer;padding:.2rem 0}
@media(max-width:50rem){body{display:block}nav{position:static;height:auto;border:0}main{padding:0 1rem 4rem}table{display:block;overflow-x:auto}}
`;
