/** The page's style sheet: GitHub's type, spacing and colours, light and dark. */
export const STYLE = `
:root { color-scheme: light dark; --fg: #1f2328; --muted: #59636e; --bg: #fff; --soft: #f6f8fa; --line: #d1d9e0;
  --code: #818b981f; --ok: #1a7f37; --bad: #d1242f; --link: #0969da; --ins: #dafbe1; --del: #ffebe9; }
@media (prefers-color-scheme: dark) { :root { --fg: #f0f6fc; --muted: #9198a1; --bg: #0d1117; --soft: #151b23;
  --line: #3d444d; --code: #656c7633; --ok: #3fb950; --bad: #f85149; --link: #4493f8; --ins: #2ea04326; --del: #f8514926; } }
* { box-sizing: border-box; }
body { margin: 0; background: var(--bg); color: var(--fg);
  font: 16px/1.5 -apple-system, BlinkMacSystemFont, "Segoe UI", "Noto Sans", Helvetica, Arial, sans-serif; }
main { max-width: 1012px; margin: 32px auto; padding: 0 16px; }
header { display: flex; gap: 12px; padding-bottom: 16px; border-bottom: 1px solid var(--line); margin-bottom: 16px; }
header svg { flex: none; margin-top: 3px; fill: var(--muted); }
header.success svg { fill: var(--ok); }
header.failure svg { fill: var(--bad); }
header h1 { font-size: 20px; line-height: 1.5; font-weight: 600; margin: 0; }
header p { margin: 0; color: var(--muted); font-size: 14px; }
h3 { font-size: 1.25em; font-weight: 600; line-height: 1.25; margin: 24px 0 16px; }
p, ol, ul, pre, .table, details { margin: 0 0 16px; }
ol, ul { padding-left: 2em; }
li + li { margin-top: .25em; }
a { color: var(--link); }
code, pre { font: 85%/1.45 ui-monospace, SFMono-Regular, "SF Mono", Menlo, Consolas, "Liberation Mono", monospace; }
code { padding: .2em .4em; background: var(--code); border-radius: 6px; overflow-wrap: break-word; }
pre { padding: 16px; background: var(--soft); border-radius: 6px; overflow: auto; }
pre ins, pre del, pre span { display: block; text-decoration: none; }
pre ins { background: var(--ins); }
pre del { background: var(--del); }
.table { overflow-x: auto; }
table { border-collapse: collapse; }
th, td { border: 1px solid var(--line); padding: 6px 13px; text-align: left; vertical-align: top; }
th { font-weight: 600; }
tbody tr:nth-child(2n) { background: var(--soft); }
summary { cursor: pointer; margin-bottom: 16px; }
details:not([open]) summary { margin-bottom: 0; }
`
