/** Bodies of POST /v1/videos: invalid, deep, wrongly encoded, ambiguous or out-of-range JSON. */
import { bodyWith, chunked, invalid, json, MARK, post, postJson, type Hostile, type Target } from './request.ts';

const LIMIT = 256 * 1024;
type Body = readonly [name: string, body: string | Buffer, accepted?: 'accepted'];
const BOM = '\ufeff';

const notJson: readonly Body[] = [
  ...['{', '}', '[', 'nul', 'NaN', 'Infinity', 'undefined', '// x\n{}', `{'title':'${MARK}'}`, `{title:"${MARK}"}`].map(
    (text): Body => [`the text ${text}`, text],
  ),
  ['a comma too many', bodyWith(`"x":"${MARK}",`)],
  ['two values', `${bodyWith()}${bodyWith()}`],
  ['text after the value', `${bodyWith()} ${MARK}`],
  ['an unclosed string', `{"title":"${MARK}`],
  ['a control character in a string', bodyWith(`"x":"${MARK}\u0001"`)],
  ['an invalid escape', bodyWith(String.raw`"x":"\x41"`)],
  ['half of an escape', bodyWith(String.raw`"x":"\u00"`)],
  ['only NUL bytes', Buffer.alloc(64)],
  ['only white space', ' \r\n\t'],
  ['a form', `source_url=https%3A%2F%2Fexample.com&title=${MARK}`],
  ['XML', `<?xml version="1.0"?><!DOCTYPE x [<!ENTITY y SYSTEM "file:///etc/passwd">]><x>&y;${MARK}</x>`],
];

const encodings: readonly Body[] = [
  ['UTF-8 with a byte order mark', `${BOM}${bodyWith()}`, 'accepted'],
  ['two byte order marks', `${BOM}${BOM}${bodyWith()}`],
  ['only a byte order mark', BOM],
  ['a byte order mark after the value', `${bodyWith()}${BOM}`],
  ['UTF-16 LE', utf16(bodyWith())],
  ['UTF-16 LE with its mark', utf16(BOM + bodyWith())],
  ['UTF-16 BE', utf16(bodyWith(), true)],
  ['UTF-16 BE with its mark', utf16(BOM + bodyWith(), true)],
  ['UTF-32 LE', utf32(bodyWith(), false)],
  ['UTF-32 LE with its mark', utf32(BOM + bodyWith(), false)],
  ['UTF-32 BE', utf32(bodyWith(), true)],
  ['UTF-32 BE with its mark', utf32(BOM + bodyWith(), true)],
  ['Latin-1', latin1('"x":"\xe9"')],
  ['an overlong slash', latin1('"x":"\xc0\xaf"')],
  ['a surrogate as UTF-8', latin1('"x":"\xed\xa0\x80"')],
  ['a code point beyond the last', latin1('"x":"\xf4\x90\x80\x80"')],
  ['a cut UTF-8 sequence', latin1('"x":"\xe2\x82"')],
];

const closedLists = `${'['.repeat(LIMIT / 2)}${']'.repeat(LIMIT / 2)}`;
const OBJECTS = 43_000;
const closedObjects = `${'{"a":'.repeat(OBJECTS)}1${'}'.repeat(OBJECTS)}`;
const deepList = `${'['.repeat(130_000)}${']'.repeat(130_000)}`;
const deep: readonly Body[] = [
  ['lists as deep as a body can be, never closed', '['.repeat(LIMIT)],
  ['lists as deep as a body can be, closed', closedLists],
  ['objects as deep as a body can be, never closed', '{"":'.repeat(LIMIT / 4)],
  ['objects as deep as a body can be, closed', closedObjects],
  ['only braces', '{'.repeat(LIMIT)],
  ['lists a million deep', '['.repeat(1_000_000)],
  ['objects a million deep', '{"a":'.repeat(1_000_000)],
  ['a title of deep lists', `{"source_url":"https://example.com/x","title":${deepList}}`],
  ['tags of deep lists', bodyWith(`"tags":${deepList}`)],
  ['a sport of deep objects', bodyWith(`"sport":${closedObjects}`)],
  ['deep lists in an unknown member', bodyWith(`"x":${deepList}`), 'accepted'],
  ['deep objects in an unknown member', bodyWith(`"x":${closedObjects}`), 'accepted'],
];

const digits = '9'.repeat(250_000);
const ranges: readonly Body[] = [
  ['1e400 for a title', '{"source_url":"https://example.com/x","title":1e400}'],
  ['-0 for tags', bodyWith('"tags":-0')],
  ['-1e400 for a language', bodyWith('"language_code":-1e400')],
  ['a number of 250,000 digits for a sport', bodyWith(`"sport":${digits}`)],
  ['a fraction of 250,000 digits for a summary', bodyWith(`"summary":0.${digits}`)],
  ['1e400, -0 and 250,000 digits in an unknown member', bodyWith(`"x":[1e400,-0,-1e-400,${digits}]`), 'accepted'],
  ['an exponent of 250,000 digits in an unknown member', bodyWith(`"x":1e${digits}`), 'accepted'],
  ['a list of 130,000 numbers', bodyWith(`"tags":[${'1,'.repeat(130_000)}1]`)],
  ['130,000 numbers in an unknown member', bodyWith(`"x":[${'1,'.repeat(130_000)}1]`), 'accepted'],
  ['a title of 250,000 characters', `{"source_url":"https://example.com/x","title":"${'a'.repeat(250_000)}"}`],
  ['a title of 40,000 escapes', `{"source_url":"https://example.com/x","title":"${'\\ud83d'.repeat(40_000)}"}`],
  ['a long address of dots', `{"title":"x","source_url":"https://${'a.'.repeat(4_000)}com/"}`],
  ['a long address of percent signs', `{"title":"x","source_url":"https://a.com/${'%'.repeat(8_000)}"}`],
  ['a long address of at signs', `{"title":"x","source_url":"https://${'@'.repeat(8_000)}"}`],
  ['an address of 250,000 characters', `{"title":"x","source_url":"https://a.com/${'a'.repeat(250_000)}"}`],
  ['20,000 members', bodyWith(Array.from({ length: 20_000 }, (_, n) => `"m${n}":1`).join(',')), 'accepted'],
  [
    'members that look like indexes',
    bodyWith(Array.from({ length: 16_000 }, (_, n) => `"${n * 65_536}":1`).join(',')),
    'accepted',
  ],
];

const names: readonly Body[] = [
  ['the fields in __proto__', `{"__proto__":${bodyWith()}}`],
  ['the fields in constructor.prototype', `{"constructor":{"prototype":${bodyWith()}}}`],
  ['__proto__ next to the fields', bodyWith(`"__proto__":{"title":"${MARK}","sport":"x"}`), 'accepted'],
  ['a null __proto__', bodyWith('"__proto__":null'), 'accepted'],
  [
    'constructor, toString and hasOwnProperty next to the fields',
    bodyWith('"constructor":1,"toString":2,"hasOwnProperty":3,"valueOf":null'),
    'accepted',
  ],
  ['a toJSON', bodyWith('"toJSON":"x","then":{}'), 'accepted'],
  ['an own length', `{"length":3,"0":${bodyWith()}}`],
];

/** Named in the response, and nowhere unescaped. */
const twice: readonly Body[] = [
  ['a member twice', bodyWith('"title":"b"')],
  ['a member twice, once with an escape', bodyWith(String.raw`"\u0074itle":"b"`)],
  ['an unknown member twice', bodyWith(`"${MARK}\u2028\u202e":1,"${MARK}\u2028\u202e":2`)],
  [
    'a member with control characters and quotes twice',
    bodyWith(String.raw`"\r\nX: \u0000\"<script>":1,"\u000d\u000aX: \u0000\"<script>":2`),
  ],
  ['a member with half of a surrogate pair twice', bodyWith(String.raw`"\ud800":1,"\ud800":2`)],
  ['__proto__ twice', bodyWith('"__proto__":1,"__proto__":2')],
  ['a member of a member twice', bodyWith('"x":[{"y":{"z":1,"z":1}}]')],
  ['a long member twice', bodyWith(`"${'n'.repeat(100_000)}":1,"${'n'.repeat(100_000)}":2`)],
];

const exact = bodyWith(`"x":"${' '.repeat(LIMIT - bodyWith('"x":""').length)}"`);

const types: readonly (readonly [name: string, headers: string, accepted?: 'accepted'])[] = [
  ['no content type', ''],
  ['text/plain', 'Content-Type: text/plain\r\n'],
  ['a form’s type', 'Content-Type: application/x-www-form-urlencoded\r\n'],
  ['a multipart type', `Content-Type: multipart/form-data; boundary=${MARK}\r\n`],
  ['a type that ends in +json', 'Content-Type: application/vnd.api+json\r\n'],
  ['a type with a mark in it', `Content-Type: application/${MARK}\r\n`],
  ['two types', `${json}${json}`],
  ['two types in one header', 'Content-Type: application/json, text/plain\r\n'],
  ['charset UTF-8 in capitals and quotes', 'Content-Type: Application/JSON ; Charset="UTF-8"\r\n', 'accepted'],
  ['charset utf-16', 'Content-Type: application/json; charset=utf-16\r\n'],
  ['charset latin1', 'Content-Type: application/json;charset=iso-8859-1\r\n'],
  ['a charset with a mark in it', `Content-Type: application/json; charset=${MARK}\r\n`],
  ['two charsets', 'Content-Type: application/json; charset=utf-8; charset=utf-7\r\n'],
  ['an invalid gzip', `${json}Content-Encoding: gzip\r\n`],
  ['two encodings', `${json}Content-Encoding: identity, br\r\n`],
  ['an encoding with a mark in it', `${json}Content-Encoding: ${MARK}\r\n`],
];

export function hostileBodies(target: Target): readonly Hostile[] {
  return [
    ...[...notJson, ...encodings, ...deep, ...ranges, ...names].map(([name, body, accepted]) =>
      row(name, postJson(target, body), accepted),
    ),
    ...twice.map(([name, body]) => ({ ...row(name, postJson(target, body), undefined), named: true })),
    ...sizes(target).map(([name, bytes, accepted]) => row(name, bytes, accepted)),
    ...types.map(([name, headers, accepted]) => row(name, postJson(target, bodyWith(), headers), accepted)),
  ];
}

function row(name: string, bytes: Buffer, accepted: 'accepted' | undefined): Hostile {
  return {
    name,
    parts: [bytes],
    responses: accepted === undefined ? invalid : ['202'],
    next: 'open',
    operation: ['POST', '/v1/videos'],
  };
}

function sizes(target: Target): [string, Buffer, 'accepted'?][] {
  return [
    ['exactly 256 KiB', postJson(target, exact), 'accepted'],
    ['exactly 256 KiB in chunks', post(target, `${json}Transfer-Encoding: chunked\r\n`, chunked(exact)), 'accepted'],
    ['one byte more than 256 KiB', postJson(target, `${exact} `)],
    [
      'one byte more than 256 KiB in chunks',
      post(target, `${json}Transfer-Encoding: chunked\r\n`, chunked(`${exact} `)),
    ],
    ['4 MiB', postJson(target, ' '.repeat(2 ** 22))],
    ['4 MiB in chunks', post(target, `${json}Transfer-Encoding: chunked\r\n`, chunked(' '.repeat(2 ** 22)))],
    [
      'a full body in chunks of one byte',
      post(target, `${json}Transfer-Encoding: chunked\r\n`, chunked(exact.slice(0, 40_000), 1)),
    ],
  ];
}

function utf32(text: string, bigEndian: boolean): Buffer {
  const bytes = Buffer.alloc(4 * text.length);
  for (let at = 0; at < text.length; at++)
    if (bigEndian) bytes.writeUInt32BE(text.charCodeAt(at), 4 * at);
    else bytes.writeUInt32LE(text.charCodeAt(at), 4 * at);
  return bytes;
}

function utf16(text: string, bigEndian = false): Buffer {
  const bytes = Buffer.from(text, 'utf16le');
  return bigEndian ? bytes.swap16() : bytes;
}

/** A valid body except for these bytes. */
function latin1(members: string): Buffer {
  return Buffer.from(bodyWith(members), 'latin1');
}
