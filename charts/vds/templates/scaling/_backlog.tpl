{{/* Stages in catalog whose work a component does; empty where it has none, or where others call it all the time. */}}
{{- define "vds.stagesOf" -}}
{{- get (dict "ingest" "fetch") .name -}}
{{- end }}

{{/*
PromQL: `own`, or 1 while catalog has open stages of the component or a purge without an answer, whichever is more. catalog reports the age of every
stage, also while none is open: without it the query has no result, and the number of pods stays.
*/}}
{{- define "vds.backlogFromZero" -}}
{{- $from := printf `{namespace="%s",release="%s",service="catalog",stage=~"%s"}` (include "vds.namespace" .root) .root.Release.Name (include "vds.stagesOf" .) -}}
{{- $purges := printf `max(vds_catalog_oldest_purge_seconds{namespace="%s",release="%s",service="catalog"})` (include "vds.namespace" .root) .root.Release.Name -}}
{{- $open := printf "clamp_max((max(vds_catalog_open_stages%s) or 0 * max(vds_catalog_silent_seconds%s)) + %s, 1)" $from $from $purges -}}
{{ printf "(%s) > (%s) or (%s) or (%s)" .own $open $open .own }}
{{- end }}
