/** What kube-state-metrics shows of a Job whose pods end in turn, as Kubernetes counts them by the Job's own policy. */
import type { Show } from './night-series.ts';

/** Of a pod: its exit code, or that it was evicted (the pod condition DisruptionTarget). */
export type Outcome = number | 'evicted';
type FailureRule = {
  readonly action: 'Ignore' | 'FailJob' | 'Count';
  readonly onPodConditions?: readonly { readonly type: string }[];
  readonly onExitCodes?: { readonly operator: 'In' | 'NotIn'; readonly values: readonly number[] };
};
export type JobSpec = {
  readonly backoffLimit: number;
  readonly podFailurePolicy?: { readonly rules: readonly FailureRule[] };
};

/** Failed pods that count, and why the Job failed. */
type End = { readonly failed: number; readonly reason?: 'BackoffLimitExceeded' | 'PodFailurePolicy' };

/** Series of a Job that starts at this minute; a pod takes three minutes. */
export function jobSeries(job: JobSpec, from: number, outcomes: readonly Outcome[]): Record<string, Show> {
  const labels = 'namespace="video", job_name="vds-reconcile-objects-29384730"';
  const end = endOf(job, outcomes);
  const over = from + 3 * outcomes.length;
  const isRetrying = (minute: number): boolean => minute >= from + 3 && minute < over;
  const shown =
    (value: number, is: (minute: number) => boolean): Show =>
    (minute) =>
      is(minute) ? value : undefined;
  const isOver = (minute: number): boolean => minute >= over;
  // Reasons that it does not know have no label, as have the failed pods of a Job that goes on.
  const known = end.reason === 'BackoffLimitExceeded';
  return {
    [`kube_job_status_failed{${labels}}`]: (minute) => {
      if (minute < from || (isOver(minute) && known)) return undefined;
      if (isOver(minute)) return end.failed;
      return isRetrying(minute) ? Math.min(1, end.failed) : 0;
    },
    ...(end.reason && { [`kube_job_failed{${labels}, condition="true"}`]: shown(1, isOver) }),
    ...(known && { [`kube_job_status_failed{${labels}, reason="BackoffLimitExceeded"}`]: shown(1, isOver) }),
  };
}

function endOf({ backoffLimit, podFailurePolicy }: JobSpec, outcomes: readonly Outcome[]): End {
  let failed = 0;
  for (const outcome of outcomes) {
    if (outcome === 0) break;
    const action = podFailurePolicy?.rules.find((rule) => applies(rule, outcome))?.action;
    if (action === 'Ignore') continue;
    failed += 1;
    if (action === 'FailJob') return { failed, reason: 'PodFailurePolicy' };
    if (failed > backoffLimit) return { failed, reason: 'BackoffLimitExceeded' };
  }
  return { failed };
}

function applies({ onPodConditions = [], onExitCodes }: FailureRule, outcome: Outcome): boolean {
  if (outcome === 'evicted') return onPodConditions.some(({ type }) => type === 'DisruptionTarget');
  if (!onExitCodes) return false;
  return onExitCodes.values.includes(outcome) === (onExitCodes.operator === 'In');
}
