// A recovery sheet as one self-contained HTML file: no script, no address outside, prints on A4 with its links written out.
// Owns: that form, its style, and the policy under which it is served.
// Tested in test/functions/api/desk/sheet.test.ts.
import { createHash } from 'node:crypto';
import type { SheetWords, Tools } from '../../core/sheet/says.ts';
import type { Sheet, SheetLine } from '../../core/sheet/sheet.ts';
import { sheetWords, toolsFor } from '../../core/sheet/words.ts';

const style = `
:root{color-scheme:light dark}
body{font:15px/1.45 system-ui,sans-serif;max-width:60rem;margin:1.5rem auto;padding:0 1rem}
h1{font-size:1.35rem;margin:0 0 .25rem;overflow-wrap:anywhere}
h2{font-size:1.05rem;margin:0}
header dl,section dl{display:grid;grid-template-columns:minmax(8rem,max-content) 1fr;gap:.1rem .75rem;margin:.25rem 0}
dt{font-weight:600}
dd{margin:0;overflow-wrap:anywhere;white-space:pre-line}
section{border-top:1px solid;padding:.5rem 0}
.is,time{font-size:.85em;opacity:.8}
.missing{margin:.25rem 0 0}
a{color:inherit}
@page{size:A4;margin:10mm 11mm}
@media print{
body{font-size:7.8pt;line-height:1.22;max-width:none;margin:0;padding:0}
h1{font-size:11pt}
h2{font-size:9pt;break-after:avoid}
h2,.about{display:inline}
section{padding:1.2mm 0;break-inside:avoid}
header dl,section dl{gap:0 2mm;margin:.3mm 0;grid-template-columns:28mm 1fr}
.missing{margin:.3mm 0 0}
a::after{content:" <" attr(href) ">";font-size:.85em;overflow-wrap:anywhere}
}`;

const styleDigest = createHash('sha256').update(style).digest('base64');
/** What the file may do: show itself. */
export const sheetPolicy = `default-src 'none'; style-src 'sha256-${styleDigest}'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'`;
/** A meta element cannot forbid framing: that is the header's. */
const metaPolicy = sheetPolicy.replace("; frame-ancestors 'none'", '');

const entities: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};
export const html = (text: string): string =>
  text.replaceAll(/[&<>"']/g, (character) => entities[character] ?? '');

const webAddress = /^(https?:\/\/|\/)\S*$/;
const linked = (text: string, link: string | undefined): string =>
  link !== undefined && webAddress.test(link)
    ? `<a href="${html(link)}" rel="noreferrer">${html(text)}</a>`
    : html(text);

const time = (iso: string, tools: Tools): string =>
  `<time datetime="${html(iso)}">${html(tools.date(iso))}</time>`;

const lineOf = (line: SheetLine, words: SheetWords, tools: Tools): string => {
  const at = line.at === undefined ? '' : `, ${time(line.at, tools)}`;
  const is = `<span class="is">(${html(words.parts[line.is])}${at})</span>`;
  return `<dt>${html(line.label)}</dt><dd>${linked(line.text, line.link)} ${is}</dd>`;
};

const fieldOf = (field: Sheet['fields'][number], words: SheetWords, tools: Tools): string => {
  const { parts } = words;
  const since =
    field.since === undefined ? '' : `, ${html(parts.since)} ${time(field.since, tools)}`;
  const missing =
    field.missing.length === 0
      ? parts.nothingMissing
      : field.missing.map(({ text }) => text).join('; ');
  return `<section>
<h2>${field.number}. ${html(field.title)}</h2>
<p class="is about">${html(words.is[field.is])}${since}</p>
<dl>${field.lines.map((line) => lineOf(line, words, tools)).join('\n')}</dl>
<p class="missing"><strong>${html(parts.missing)}</strong>: ${html(missing)}</p>
</section>`;
};

const headOf = (sheet: Sheet, words: SheetWords, tools: Tools): string => {
  const { owner } = sheet;
  const { parts } = words;
  const until =
    owner.leaseEnd === undefined ? '' : `, ${html(parts.until)} ${time(owner.leaseEnd, tools)}`;
  const rows: [string, string][] = [
    [parts.state, `<strong>${html(sheet.state.text)}</strong>`],
    [parts.owner, `${html(owner.name ?? parts.nobody)}${until}`],
    [parts.head, String(sheet.head)],
    [parts.link, linked(sheet.actionId, sheet.permalink)],
  ];
  return `<header>
<h1>${html(sheet.title)}</h1>
<p class="is">${html(sheet.stateAt)}</p>
<dl>${rows.map(([label, value]) => `<dt>${html(label)}</dt><dd>${value}</dd>`).join('\n')}</dl>
</header>`;
};

export const htmlOf = (sheet: Sheet): string => {
  const words = sheetWords(sheet.language);
  const tools = toolsFor(sheet.language);
  return `<!doctype html>
<html lang="${sheet.language}">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${metaPolicy}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex">
<title>${html(sheet.title)}</title>
<style>${style}</style>
</head>
<body>
<main>
${headOf(sheet, words, tools)}
${sheet.fields.map((field) => fieldOf(field, words, tools)).join('\n')}
</main>
</body>
</html>
`;
};
