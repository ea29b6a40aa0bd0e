/** No secret value in any rendered text: it ends up in the release, in Git and in many logs. */
import { containersOf, podsOf, titleOf, type Resource } from '../resource.ts';

const secretName = /(PASSWORD|PASSWD|TOKEN|SECRET|CREDENTIALS?|PEPPERS?|(?<!PUBLIC_)KEY)$/i;
const secretValues = [
  { what: 'a password in an address', pattern: /[a-z][a-z0-9+.-]*:\/\/[^\s/:@]*:[^\s/@]+@/i },
  { what: 'a private key', pattern: /-----BEGIN [A-Z ]*PRIVATE KEY-----/ },
  { what: 'an API key', pattern: /\bsvc_live_[0-9A-Za-z]{24}_[0-9A-Za-z]{32}\b/ },
  { what: 'a bearer token', pattern: /\bBearer\s+[A-Za-z0-9._~+/-]{16,}/ },
] as const;

export function secrecyFaults(resources: readonly Resource[]): string[] {
  const inData = resources.flatMap((one) =>
    [...dataFaults(one), ...annotationFaults(one)].map((fault) => `${titleOf(one)}: ${fault}`),
  );
  const inPods = podsOf(resources).flatMap((pod) =>
    containersOf(pod).flatMap(({ name, env = [], args = [], command = [] }) =>
      [
        ...env.flatMap((variable) => (variable.value === undefined ? [] : textFaults(variable.name, variable.value))),
        ...[...command, ...args].flatMap((word) => textFaults('an argument', String(word))),
      ].map((fault) => `${pod.owner}: container ${name}: ${fault}`),
    ),
  );
  return [...inData, ...inPods];
}

function dataFaults(resource: Resource): string[] {
  if (resource.kind === 'Secret') return ['is rendered, but Secrets are made before the release and never by it'];
  if (resource.kind !== 'ConfigMap') return [];
  return Object.entries(resource.data ?? {}).flatMap(([name, value]) => textFaults(name, String(value)));
}

function annotationFaults({ metadata }: Resource): string[] {
  return Object.entries(metadata.annotations ?? {}).flatMap(([name, value]) => textFaults(name, String(value)));
}

/** The violations in one named text. */
function textFaults(name: string, value: string): string[] {
  return [
    ...(secretName.test(name) && !isPlace(value)
      ? [`${name} is a secret by its name and stands there in plain text`]
      : []),
    ...secretValues.filter(({ pattern }) => pattern.test(value)).map(({ what }) => `${name} holds ${what}`),
  ];
}

/** A reference to a secret is not a secret. */
function isPlace(value: string): boolean {
  return value === '' || value.startsWith('file:/');
}
