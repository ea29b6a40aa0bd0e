{{- define "vds.ingressOf" -}}
{{- $root := .root -}}
{{- $c := .component -}}
{{- $ports := fromYaml (include "vds.ports" $root) -}}
{{- $callers := compact (splitList " " (include "vds.callersOf" .)) -}}
{{- if has "http" $c.ports }}
- from:
    {{- with $c.clients }}{{ toYaml . | nindent 4 }}{{ end }}
    {{- $behind := and (eq .name "playback") $root.Values.edge.enabled }}
    {{- include "vds.pods" (dict "root" $root "names" (list (ternary "edge" "release-test" $behind))) | nindent 4 }}
  ports: [{ protocol: TCP, port: {{ $ports.http }} }]
{{- end }}
{{- $apps := ternary $root.Values.apps.peers list (and $c.servesApps $root.Values.apps.enabled) }}
{{- if and (has "rpc" $c.ports) (or $callers $c.clients $apps) }}
- from:
    {{- with $callers }}{{ include "vds.pods" (dict "root" $root "names" .) | nindent 4 }}{{ end }}
    {{- with concat $c.clients $apps | uniq }}{{ toYaml . | nindent 4 }}{{ end }}
  ports: [{ protocol: TCP, port: {{ $ports.rpc }} }]
{{- end }}
{{- if has "adminRpc" $c.ports }}
- from: {{- include "vds.pods" (dict "root" $root "names" (list "vdsctl")) | nindent 4 }}
  ports: [{ protocol: TCP, port: {{ $ports.adminRpc }} }]
{{- end }}
{{- with $root.Values.networkPolicy.metrics.peers }}
- from: {{- toYaml . | nindent 4 }}
  ports: [{ protocol: TCP, port: {{ $ports.admin }} }]
{{- end }}
{{- end }}

{{- define "vds.egressOf" -}}
{{- $c := .component -}}
{{- $ports := fromYaml (include "vds.ports" .root) -}}
{{ include "vds.toDns" .root }}
{{- with $c.peers }}
- to: {{- include "vds.pods" (dict "root" $.root "names" .) | nindent 4 }}
  ports: [{ protocol: TCP, port: {{ $ports.rpc }} }]
{{- end }}
{{- include "vds.toServers" (dict "servers" (include "vds.serversOf" . | fromJsonArray)) }}
{{- if include "vds.hasIdentity" . }}
{{ include "vds.toIdentity" .root }}
{{- end }}
{{- if eq $c.sources "fetches" }}
{{ include "vds.toSources" .root }}
{{- end }}
{{- with $c.egress }}
{{ toYaml . }}
{{- end }}
{{- end }}

{{/* Sources: public addresses, and those private ones that the values allow. */}}
{{- define "vds.toSources" -}}
{{ include "vds.toInternet" . }}
{{- range .Values.ingest.privateSources }}
{{- $port := regexFind `:[0-9]+=` . | trimPrefix ":" | trimSuffix "=" }}
{{ include "vds.toAddress" (dict "address" (splitList "=" . | last) "port" $port "protocols" (list "TCP")) }}
{{- end }}
{{- range .Values.ingest.dnsServers }}
{{ include "vds.toAddress" (dict "address" . "port" "53" "protocols" (list "UDP" "TCP")) }}
{{- end }}
{{- end }}
