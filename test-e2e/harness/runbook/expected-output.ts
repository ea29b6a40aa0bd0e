/** The expected output of the runbook's commands in a healthy release, and which of them change something. */

/** A command and a pattern of its output; the first match counts. */
export const expectedOutputs: readonly (readonly [command: RegExp, output: RegExp])[] = [
  [/^ready /, /^\{"ready":true,"phase":"serving","checks":\{.*"ok"/],
  [/^logs ingest 2h vid_/, /a source could not be fetched/],
  [/^logs .*'a source could not be fetched'/, /a source could not be fetched|no such line in the last/],
  [/^(logs|for service in .* logs) .*sandbox/, /"msg":"serving RPC"|no such line/],
  [/^(logs|for service in .* logs) .*consuming/, /consuming catalog|ermissions|no such line/],
  [/^(logs|for service in .* logs) /, /"level":"(warn|error|fatal)"|no such line in the last/],
  [/^kubectl .* logs .* --previous/, /"msg":"stopping"/],
  [/^kubectl .* logs /, /"msg":"ready"/],
  [/^kubectl .* get pod .*lastState/, /"exitCode":0/],
  [/^kubectl .* get pods --field-selector/, /No resources found|Pending/],
  [/^kubectl .* get deploy,/, /deployment\.apps\/\S+-catalog/],
  [/^kubectl .* get deploy$/, /UP-TO-DATE.*AVAILABLE/],
  [/^kubectl .* get pods? /, /NAME +READY +STATUS +RESTARTS/],
  [/^kubectl .* get events/, /Normal|Warning/],
  [/^kubectl .* get endpointslices/, /-catalog-metrics-\S+ +IPv4 +9090/],
  [/^kubectl .* get servicemonitors/, /No resources found|-catalog/],
  [/^kubectl .* get certificate/, /^NAME +READY/m],
  [/^kubectl .* describe certificate/, /^Kind: +Certificate$/m],
  [/^kubectl .* get networkpolicy/, /kind: NetworkPolicy[^]*policyTypes:/],
  [/^kubectl .* get secret/, /^notAfter=/m],
  [/^kubectl .* get jobs/, /No resources found|^NAME +STATUS +COMPLETIONS/],
  [/^kubectl .* describe pod/, /Containers:[^]*Events:/],
  [/^kubectl .* rollout status/, /successfully rolled out/],
  [/^kubectl .* exec .* -- node -e/, /^\d{3}$|ENOTFOUND|EAI_AGAIN|ECONNREFUSED/m],
  [/^kubectl top node/, /CPU\(cores\)/],
  [/^kubectl get node/, / Ready /],
  [/^helm history/, /REVISION[^]*deployed/],
  [/^vdsctl .* --dry-run/, /^would /],
  [/^vdsctl index status/, /^index +\S+\nmapping +\d+\nlive videos +[1-9]/],
  [/^vdsctl index (show|refresh)/, /^video +\w+\nlive +yes\nversion +\d+/],
  [/^vdsctl reindex .*--follow/, /^state +done/m],
  [/^vdsctl languages/, /^SOURCE +TARGET +PATH/m],
  [/^vdsctl captions show/, /^LANGUAGE +KIND +STATUS/m],
  [/^vdsctl publisher list/, /^PUBLISHER +NAME[^]*The runbook/],
  [/^vdsctl publisher show/, /^KEY +SCOPES +PER MINUTE/m],
  [/^vdsctl video list .*failed/, /^VIDEO +STATE +FAILURE[^]*source_not_found/],
  [/^vdsctl video list/, /^VIDEO +STATE|There are no such videos/],
  [/^vdsctl video show/, /^STAGE +STATE +ATTEMPT/m],
  [/^vdsctl video history/, /^AT +WHO +WHAT/],
  [/^vdsctl dead-letters list/, /^ID +SINCE|There are no dead letters/],
  [/^vdsctl reconcile/, /^\d+ videos compared, 0 findings, 0 left\.$/m],
  [/^vdsctl jobs/, /^VIDEO +SERVICE +JOB|There are no such jobs/],
  [/^vdsctl audit/, /signing|not rotated in \d+ days/],
  [/^curl -s \$OPENSEARCH/, /"status":"(green|yellow)"/],
];

/** Queries without a result in a healthy release, by their expression. */
export const emptyWhenHealthy: readonly (readonly [query: RegExp, why: string])[] = [
  [/status=~"5\.\."/, 'no request was answered with 5xx'],
  [/code=~"INTERNAL\|UNAVAILABLE\|DEADLINE_EXCEEDED"/, 'no call failed'],
  [/^min by \(service, pod\) \(vds_(bus_connected|ready)\) == 0$/, 'selects those that are not well'],
  [/vds_(outbox_refused_rows|bus_stream_refused|bus_paused)\) > 0$/, 'selects those that are not well'],
  [/vds_captions_engine_errors_total/, 'counts from the first error on'],
  [/MintPlaybackToken/, 'no app has asked for a token'],
  [/outcome="dead_lettered"/, 'counts from the first dead letter on'],
  [/vds_metrics_failures_total/, 'counts from the first failure on'],
  [/vds_catalog_failures_total/, 'selects codes of failures that did happen'],
  [/kube_job_status_failed/, 'no nightly look has failed'],
  [/vds_catalog_open_stages/, 'no video is on its way'],
  [/vds_check_passes.*\) > 0$/s, 'selects checks that fail'],
  [/to="archived"/, 'no video was archived'],
  [/vds_catalog_republished_total/, 'nothing had to be republished'],
  [/code!="OK"/, 'no call failed'],
  [/outcome=~"retried\|unsettled\|lost/, 'no try failed'],
];

/** Changes to the release itself: run once, after everything else. */
export function isChange(command: string): boolean {
  return /^helm rollback|rollout restart| scale | delete pod |^kubectl drain|^vdsctl reindex .*--follow/.test(command);
}

/** The command, with `--dry-run` if it would change something. */
export function asDryRun(command: string): string {
  return /^vdsctl (video (retry|rerun|hold)|captions rerun|dead-letters replay|signing-key) /.test(command) &&
    !command.includes('--dry-run')
    ? `${command} --dry-run`
    : command;
}

/** Third-party programs and kinds that an operator may have and a test need not. */
export function needs(command: string): 'nats' | 'servicemonitors' | 'certificates' | undefined {
  if (command.startsWith('nats ')) return 'nats';
  if (/ (get|describe) certificate/.test(command)) return 'certificates';
  return command.includes('get servicemonitors') ? 'servicemonitors' : undefined;
}
