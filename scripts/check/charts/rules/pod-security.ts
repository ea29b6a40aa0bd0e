/** Kubernetes' Pod Security Standard `restricted`, in full, for every pod: other tools check only some kinds. */
import { containersOf, type Container, type Pod, type SecurityContext } from '../resource.ts';

const volumeTypes = new Set([
  'configMap',
  'csi',
  'downwardAPI',
  'emptyDir',
  'ephemeral',
  'persistentVolumeClaim',
  'projected',
  'secret',
]);
const safeSysctls = new Set([
  'kernel.shm_rmid_forced',
  'net.ipv4.ip_local_port_range',
  'net.ipv4.ip_local_reserved_ports',
  'net.ipv4.ip_unprivileged_port_start',
  'net.ipv4.tcp_fin_timeout',
  'net.ipv4.tcp_keepalive_intvl',
  'net.ipv4.tcp_keepalive_probes',
  'net.ipv4.tcp_keepalive_time',
  'net.ipv4.tcp_rmem',
  'net.ipv4.tcp_syncookies',
  'net.ipv4.tcp_wmem',
  'net.ipv4.ping_group_range',
]);
const seLinuxTypes = new Set([
  undefined,
  '',
  'container_t',
  'container_init_t',
  'container_kvm_t',
  'container_engine_t',
]);

/** Why a namespace with `pod-security.kubernetes.io/enforce: restricted` would reject this pod. */
export function podSecurityFaults(pod: Pod): string[] {
  return [...podLevelFaults(pod), ...containersOf(pod).flatMap((container) => containerFaults(pod, container))].map(
    (fault) => `${pod.owner}: ${fault}`,
  );
}

function podLevelFaults({ spec }: Pod): string[] {
  const { securityContext: context = {}, volumes = [] } = spec;
  const host = (['hostNetwork', 'hostPID', 'hostIPC'] as const).filter((key) => spec[key]);
  const types = volumes.flatMap((volume) => Object.keys(volume).filter((key) => key !== 'name'));
  const sysctls = (context.sysctls ?? []).filter(({ name }) => !safeSysctls.has(name));
  return [
    ...host.map((key) => `sets ${key}`),
    ...types.filter((type) => !volumeTypes.has(type)).map((type) => `mounts a ${type} volume`),
    ...sysctls.map(({ name }) => `sets the sysctl ${name}`),
    ...contextFaults(context),
  ];
}

/** Requirements for the pod's security context and for each container's. */
function contextFaults(context: SecurityContext): string[] {
  const { type, user, role } = (context['seLinuxOptions'] ?? {}) as Readonly<Record<string, string | undefined>>;
  const armor = (context['appArmorProfile'] as { type?: string } | undefined)?.type;
  const windows = context['windowsOptions'] as { hostProcess?: boolean } | undefined;
  return [
    ...(context['runAsNonRoot'] === false ? ['runAsNonRoot is false'] : []),
    ...(context.runAsUser === 0 ? ['runs as user 0'] : []),
    ...(context.seccompProfile?.type === 'Unconfined' ? ['seccomp is unconfined'] : []),
    ...(armor === 'Unconfined' ? ['AppArmor is unconfined'] : []),
    ...(seLinuxTypes.has(type) && user === undefined && role === undefined ? [] : ['SELinux options are set']),
    ...(windows?.hostProcess ? ['is a host process'] : []),
  ];
}

function containerFaults(pod: Pod, { securityContext: own = {}, ports = [], ...container }: Container): string[] {
  const both: SecurityContext = { ...pod.spec.securityContext, ...own };
  const { add = [], drop = [] } = own.capabilities ?? {};
  const profile = both.seccompProfile?.type;
  const faults = [
    ...contextFaults(own),
    ...(own['privileged'] ? ['is privileged'] : []),
    ...(own['allowPrivilegeEscalation'] === false ? [] : ['allows privilege escalation']),
    ...(drop.includes('ALL') ? [] : ['does not drop all capabilities']),
    ...add.filter((name) => name !== 'NET_BIND_SERVICE').map((name) => `adds the capability ${name}`),
    ...(both['runAsNonRoot'] === true ? [] : ['may run as root']),
    ...(profile === 'RuntimeDefault' || profile === 'Localhost' ? [] : ['has no seccomp profile']),
    ...([undefined, 'Default'].includes(own['procMount'] as string | undefined) ? [] : ['sets procMount']),
    ...ports.flatMap(({ hostPort }) => (hostPort ? [`takes the host's port ${hostPort}`] : [])),
  ];
  return faults.map((fault) => `container ${container.name} ${fault}`);
}
