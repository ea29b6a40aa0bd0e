/*
 * Confines itself, without any privilege, and becomes the given program:
 *   vds-confine [--read <path> | --write <folder>]... -- <program> [argument]...
 *
 * - Landlock (https://docs.kernel.org/userspace-api/landlock.html): the program reads what is below `--read`, and reads
 *   and writes what is below `--write`; it can open nothing else, connects to no TCP port, and from ABI 6 on signals
 *   nothing outside. A path that does not exist is left out.
 * - seccomp (https://docs.kernel.org/userspace-api/seccomp_filter.html): no sockets of any family, no tracing, no
 *   namespaces, no mounts, no keys, no kernel programs; before Landlock's ABI 6 no signals but to itself.
 *
 * Exit code 125 and one line `vds-confine: …` where something of this is not possible: then nothing was run.
 *   vds-confine --probe <pid> <file> <folder>
 * tries what must be refused, and prints one word for each of it that is not: see `probe`.
 */
#define _GNU_SOURCE
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <linux/audit.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <sched.h>
#include <signal.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/ptrace.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <unistd.h>

/* Of <linux/landlock.h>, which older headers lack. */
#define LANDLOCK_CREATE_RULESET 444
#define LANDLOCK_ADD_RULE 445
#define LANDLOCK_RESTRICT_SELF 446
#define RULE_PATH_BENEATH 1
#define FS_EXECUTE (1ULL << 0)
#define FS_WRITE_FILE (1ULL << 1)
#define FS_READ_FILE (1ULL << 2)
#define FS_READ_DIR (1ULL << 3)
#define FS_TRUNCATE (1ULL << 14)
#define FS_MAKE_CHAR (1ULL << 6)
#define FS_MAKE_SOCK (1ULL << 9)
#define FS_MAKE_BLOCK (1ULL << 11)
struct ruleset { uint64_t fs, net, scoped; };
struct beneath { uint64_t access; int32_t fd; } __attribute__((packed));

#if defined(__x86_64__)
#define ARCH AUDIT_ARCH_X86_64
#elif defined(__aarch64__)
#define ARCH AUDIT_ARCH_AARCH64
#else
#error "this processor is not supported"
#endif

static void refuse(const char *what) {
  fprintf(stderr, "vds-confine: %s: %s\n", what, strerror(errno));
  exit(125);
}

/* What a rule may allow at this ABI: rights that the kernel does not know would be refused. */
static uint64_t rights(int abi) {
  static const int bits[] = {0, 13, 14, 15, 15, 16};
  return (1ULL << bits[abi > 5 ? 5 : abi]) - 1;
}

static void allow(int ruleset, const char *path, uint64_t access) {
  struct stat status;
  int fd = open(path, O_PATH | O_CLOEXEC);
  if (fd < 0) {
    if (errno == ENOENT || errno == EACCES) return;
    refuse(path);
  }
  if (fstat(fd, &status) != 0) refuse(path);
  /* Rights of folders are not those of a file. */
  if (!S_ISDIR(status.st_mode)) access &= FS_EXECUTE | FS_WRITE_FILE | FS_READ_FILE | FS_TRUNCATE;
  struct beneath rule = {access, fd};
  if (syscall(LANDLOCK_ADD_RULE, ruleset, RULE_PATH_BENEATH, &rule, 0) != 0) refuse(path);
  close(fd);
}

static int landlock(int argc, char **argv, int *abi) {
  *abi = (int)syscall(LANDLOCK_CREATE_RULESET, NULL, 0, 1);
  if (*abi < 1) refuse("Landlock is not there");
  uint64_t all = rights(*abi);
  struct ruleset attributes = {all, *abi >= 4 ? 3 : 0, *abi >= 6 ? 3 : 0};
  size_t size = *abi >= 6 ? 24 : *abi >= 4 ? 16 : 8;
  int ruleset = (int)syscall(LANDLOCK_CREATE_RULESET, &attributes, size, 0);
  if (ruleset < 0) refuse("a ruleset");
  int at = 1;
  for (; at + 1 < argc && strcmp(argv[at], "--") != 0; at += 2) {
    uint64_t read = FS_EXECUTE | FS_READ_FILE | FS_READ_DIR;
    /* No devices, and no sockets to find each other by. */
    uint64_t write = all & ~(FS_EXECUTE | FS_MAKE_CHAR | FS_MAKE_BLOCK | FS_MAKE_SOCK);
    if (strcmp(argv[at], "--read") == 0) allow(ruleset, argv[at + 1], read);
    else if (strcmp(argv[at], "--write") == 0) allow(ruleset, argv[at + 1], write);
    else { errno = EINVAL; refuse(argv[at]); }
  }
  static const char *const devices[] = {"/dev/null", "/dev/zero", "/dev/urandom", "/dev/random"};
  for (size_t i = 0; i < sizeof devices / sizeof *devices; i++)
    allow(ruleset, devices[i], (FS_READ_FILE | FS_WRITE_FILE | FS_TRUNCATE) & all);
  /* How many processors there are: without it programs of many threads run with one. */
  static const char *const facts[] = {"/sys/devices/system/cpu", "/proc/cpuinfo", "/proc/meminfo"};
  for (size_t i = 0; i < sizeof facts / sizeof *facts; i++) allow(ruleset, facts[i], FS_READ_FILE | FS_READ_DIR);
  if (syscall(LANDLOCK_RESTRICT_SELF, ruleset, 0) != 0) refuse("Landlock");
  close(ruleset);
  return at + 1;
}

static const int refused[] = {
  __NR_socket, __NR_connect, __NR_bind, __NR_listen, __NR_accept, __NR_accept4, __NR_ptrace, __NR_process_vm_readv,
  __NR_process_vm_writev, __NR_kcmp, __NR_unshare, __NR_setns, __NR_mount, __NR_umount2, __NR_pivot_root, __NR_chroot,
  __NR_bpf, __NR_perf_event_open, __NR_userfaultfd, __NR_keyctl, __NR_add_key, __NR_request_key, __NR_init_module,
  __NR_finit_module, __NR_delete_module, __NR_kexec_load, __NR_open_by_handle_at, __NR_name_to_handle_at, __NR_swapon,
  __NR_swapoff, __NR_reboot, __NR_acct, __NR_syslog, __NR_quotactl, __NR_personality, __NR_io_setup,
  __NR_rt_sigqueueinfo, __NR_rt_tgsigqueueinfo, __NR_tkill, __NR_setpriority, __NR_ioprio_set, __NR_migrate_pages,
  __NR_move_pages, __NR_sched_setattr, __NR_sched_setparam, __NR_sched_setscheduler,
#ifdef __NR_pidfd_open
  __NR_pidfd_open, __NR_pidfd_getfd, __NR_pidfd_send_signal,
#endif
#ifdef __NR_open_tree
  __NR_open_tree, __NR_move_mount, __NR_fsopen, __NR_fsconfig, __NR_fsmount, __NR_fspick,
#endif
#ifdef __NR_process_madvise
  __NR_process_madvise,
#endif
};
/* Answered as by a kernel without them, so that libraries go another way, which can be judged. */
static const int unknown[] = {
#ifdef __NR_clone3
  __NR_clone3,
#endif
#ifdef __NR_io_uring_setup
  __NR_io_uring_setup, __NR_io_uring_enter, __NR_io_uring_register,
#endif
};

static struct sock_filter program[256];
static unsigned short length;

static void put(uint16_t code, uint32_t k, uint8_t jt, uint8_t jf) {
  program[length++] = (struct sock_filter){code, jt, jf, k};
}
static void load(size_t offset) { put(BPF_LD | BPF_W | BPF_ABS, (uint32_t)offset, 0, 0); }
static void answer(uint32_t value) { put(BPF_RET | BPF_K, value, 0, 0); }
/* The low half of an argument; processors here are little-endian. */
static size_t argument(int index) { return offsetof(struct seccomp_data, args) + 8 * (size_t)index; }
#define DENY (SECCOMP_RET_ERRNO | EPERM)

/* Denies `number` unless its argument equals `value`. */
static void only(int number, int index, uint32_t value) {
  load(offsetof(struct seccomp_data, nr));
  put(BPF_JMP | BPF_JEQ | BPF_K, (uint32_t)number, 0, 3);
  load(argument(index));
  put(BPF_JMP | BPF_JEQ | BPF_K, value, 1, 0);
  answer(DENY);
}

static void seccomp(int abi) {
  load(offsetof(struct seccomp_data, arch));
  put(BPF_JMP | BPF_JEQ | BPF_K, ARCH, 1, 0);
  answer(SECCOMP_RET_KILL_PROCESS);
  load(offsetof(struct seccomp_data, nr));
#if defined(__x86_64__)
  /* The x32 calls have other numbers. */
  put(BPF_JMP | BPF_JGE | BPF_K, 0x40000000, 0, 1);
  answer(DENY);
#endif
  for (size_t i = 0; i < sizeof refused / sizeof *refused; i++) {
    put(BPF_JMP | BPF_JEQ | BPF_K, (uint32_t)refused[i], 0, 1);
    answer(DENY);
  }
  for (size_t i = 0; i < sizeof unknown / sizeof *unknown; i++) {
    put(BPF_JMP | BPF_JEQ | BPF_K, (uint32_t)unknown[i], 0, 1);
    answer(SECCOMP_RET_ERRNO | ENOSYS);
  }
  /* No namespaces. */
  load(offsetof(struct seccomp_data, nr));
  put(BPF_JMP | BPF_JEQ | BPF_K, __NR_clone, 0, 3);
  load(argument(0));
  put(BPF_JMP | BPF_JSET | BPF_K,
      CLONE_NEWUSER | CLONE_NEWNS | CLONE_NEWPID | CLONE_NEWNET | CLONE_NEWIPC | CLONE_NEWUTS | CLONE_NEWCGROUP, 0, 1);
  answer(DENY);
  /* Limits of its own alone. */
  only(__NR_prlimit64, 0, 0);
  if (abi < 6) {
    only(__NR_kill, 0, (uint32_t)getpid());
    only(__NR_tgkill, 0, (uint32_t)getpid());
  }
  answer(SECCOMP_RET_ALLOW);
  struct sock_fprog filter = {length, program};
  if (prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &filter) != 0) refuse("seccomp");
}

static void report(const char *what, int succeeded) {
  if (succeeded) puts(what);
}
static int opens(const char *path, int flags) {
  int fd = open(path, flags | O_CLOEXEC, 0600);
  if (fd >= 0) close(fd);
  return fd >= 0;
}
static int has_socket(int family, int type) {
  int fd = socket(family, type, 0);
  if (fd >= 0) close(fd);
  return fd >= 0;
}

/*
 * Tries, as a program that was taken over would: the environment of the worker and of process 1, a file and a folder that
 * are not for it, sockets, signals, the worker's memory, namespaces, and a link out of its own folder.
 */
static int probe(char **argv) {
  int pid = atoi(argv[2]);
  char path[4200], byte;
  struct iovec local = {&byte, 1}, remote = {(void *)refused, 1};
  snprintf(path, sizeof path, "/proc/%d/environ", pid);
  report("environment-of-worker", opens(path, O_RDONLY));
  report("environment-of-1", opens("/proc/1/environ", O_RDONLY));
  report("foreign-file", opens(argv[3], O_RDONLY));
  snprintf(path, sizeof path, "%s/written", argv[4]);
  report("foreign-write", opens(path, O_WRONLY | O_CREAT));
  DIR *folder = opendir(argv[4]);
  report("foreign-folder", folder != NULL);
  report("tcp", has_socket(AF_INET, SOCK_STREAM) || has_socket(AF_INET6, SOCK_STREAM));
  report("udp", has_socket(AF_INET, SOCK_DGRAM));
  report("unix", has_socket(AF_UNIX, SOCK_STREAM) || has_socket(AF_NETLINK, SOCK_RAW));
  report("signal", kill(pid, 0) == 0);
  report("trace", ptrace(PTRACE_SEIZE, pid, NULL, NULL) == 0);
  report("memory", process_vm_readv(pid, &local, 1, &remote, 1, 0) >= 0);
  report("namespace", unshare(CLONE_NEWUSER) == 0);
  report("link", symlink(argv[3], "probe-link") == 0 && opens("probe-link", O_RDONLY));
  unlink("probe-link");
  /* And what must work. */
  report("own-folder-is-closed", !opens("probe-file", O_WRONLY | O_CREAT));
  unlink("probe-file");
  return 0;
}

int main(int argc, char **argv) {
  if (argc == 2 && strcmp(argv[1], "--version") == 0) return puts("vds-confine 1") < 0;
  if (argc == 5 && strcmp(argv[1], "--probe") == 0) return probe(argv);
  if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0) refuse("no new privileges");
  /* A worker that is killed leaves no program behind. */
  if (prctl(PR_SET_PDEATHSIG, SIGKILL, 0, 0, 0) != 0) refuse("an end with the parent");
  int abi, at = landlock(argc, argv, &abi);
  seccomp(abi);
  if (at >= argc) { errno = EINVAL; refuse("no program"); }
  execv(argv[at], argv + at);
  refuse(argv[at]);
}
