/** Templates must not query the cluster, or use random values or the time: every render would differ. */
const unstable =
  /(?<![.$\w])(lookup|rand(?:Alpha|AlphaNum|Ascii|Numeric|Bytes|Int)|gen(?:CA|CAWithKey|SelfSignedCert|SelfSignedCertWithKey|SignedCert|SignedCertWithKey|PrivateKey)|uuidv4|now|htpasswd|derivePassword|getHostByName|shuffle)\b/g;
const comment = /\{\{-?\s*\/\*.*?\*\/\s*-?\}\}/gs;
const action = /\{\{.*?\}\}/gs;
const quoted = /"(?:[^"\\]|\\.)*"|`[^`]*`/g;

/** Non-deterministic functions in one template. */
export function templateFaults(path: string, text: string): string[] {
  const actions = text.replaceAll(comment, '').match(action) ?? [];
  const used = actions.flatMap((one) => one.replaceAll(quoted, '""').match(unstable) ?? []);
  return [...new Set(used)].map((name) => `${path} uses ${name}: what it gives is another thing every time`);
}
