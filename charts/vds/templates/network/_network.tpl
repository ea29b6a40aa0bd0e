{{/*
Rules of NetworkPolicies. Policies apply after Service addresses are translated: ports are those that the target pod
listens on, and addresses are those of pods, never of a Service.
*/}}

{{/* Port of a URL such as https://host:9200/path, or the default port of its scheme. */}}
{{- define "vds.portOf" -}}
{{- $url := urlParse . -}}
{{- $port := regexFind ":[0-9]+$" $url.host | trimPrefix ":" -}}
{{- $port | default (get (dict "http" "80" "https" "443" "nats" "4222" "tls" "4222") $url.scheme) -}}
{{- end }}

{{/* Ports of a server's peers: `peerPorts`, or that of its address, or of several between commas; as JSON. */}}
{{- define "vds.serverPorts" -}}
{{- $ports := list -}}
{{- range splitList "," .address }}{{ $ports = append $ports (include "vds.portOf" . | int) }}{{ end -}}
{{ .server.peerPorts | default (uniq $ports) | toJson }}
{{- end }}

{{/*
Egress rules to servers, by their `policy`: to their peers, to any address at their port, or none, where the
CiliumNetworkPolicy allows their names (network/cilium.yaml).
*/}}
{{- define "vds.toServers" -}}
{{- $anywhere := list (dict "ipBlock" (dict "cidr" "0.0.0.0/0")) (dict "ipBlock" (dict "cidr" "::/0")) -}}
{{- range .servers }}
{{- if ne .server.policy "fqdn" }}
- to: {{- eq .server.policy "port" | ternary $anywhere .server.peers | toYaml | nindent 4 }}
  ports:
    {{- range include "vds.serverPorts" . | fromJsonArray }}
    - { protocol: TCP, port: {{ int . }} }
    {{- end }}
{{- end }}
{{- end }}
{{- end }}

{{/* An egress rule to who hands out credentials. */}}
{{- define "vds.toIdentity" -}}
{{- $identity := .Values.external.identity -}}
- to: {{- toYaml $identity.peers | nindent 4 }}
  ports:
    {{- range $identity.peerPorts }}
    - { protocol: TCP, port: {{ int . }} }
    {{- end }}
{{- end }}

{{/* A database as `server` and `address`, in JSON; the input is what `vds.postgres` or `vds.migratedPostgres` prints. */}}
{{- define "vds.postgresServer" -}}
{{- $postgres := fromYaml . -}}
{{ dict "server" $postgres "address" (printf "postgresql://%s:%v" $postgres.host $postgres.port) | toJson }}
{{- end }}

{{/* The servers that a component uses, a list of `server` and `address`, in JSON. */}}
{{- define "vds.serversOf" -}}
{{- $c := .component -}}
{{- $external := .root.Values.external -}}
{{- $servers := list -}}
{{- if $c.database }}{{ $servers = append $servers (include "vds.postgres" . | include "vds.postgresServer" | fromJson) }}{{ end -}}
{{- range $need := list (list $c.events "nats" "url") (list $c.buckets "s3" "endpoint") (list $c.search "opensearch" "url") (list true "otlp" "endpoint") -}}
{{- $server := get $external (index $need 1) -}}
{{- $address := get $server (index $need 2) -}}
{{- if and (index $need 0) $address }}{{ $servers = append $servers (dict "server" $server "address" $address) }}{{ end -}}
{{- end -}}
{{ toJson $servers }}
{{- end }}

{{- define "vds.toDns" -}}
- to: {{- toYaml .Values.networkPolicy.dns.peers | nindent 4 }}
  ports:
    {{- range .Values.networkPolicy.dns.ports }}
    - { protocol: UDP, port: {{ int . }} }
    - { protocol: TCP, port: {{ int . }} }
    {{- end }}
{{- end }}

{{/* Peers of a rule: pods of this release by component name. */}}
{{- define "vds.pods" -}}
{{- $peers := list -}}
{{- range .names -}}
{{- $labels := include "vds.selector" (dict "root" $.root "name" .) | fromYaml -}}
{{- $peers = append $peers (dict "podSelector" (dict "matchLabels" $labels)) -}}
{{- end -}}
{{ toYaml $peers }}
{{- end }}

{{/* Components that list this one among their peers. */}}
{{- define "vds.callersOf" -}}
{{- $callers := list -}}
{{- range $name, $it := .scopes -}}
{{- if has $.name $it.component.peers }}{{ $callers = append $callers $name }}{{ end -}}
{{- end -}}
{{ join " " $callers }}
{{- end }}

{{/* Egress to a single address and port such as 10.0.0.7:8443 or [fd00::7]:8443. */}}
{{- define "vds.toAddress" -}}
{{- $ip := regexReplaceAll `^\[?(.*?)\]?(:[0-9]+)?$` .address "${1}" -}}
{{- $port := regexFind `:[0-9]+$` (regexReplaceAll `^(\[[^\]]*\]|[^:]*)` .address "") | trimPrefix ":" | default .port -}}
{{- if and (not (hasPrefix "[" .address)) (gt (len (splitList ":" .address)) 2) -}}
{{- $ip = .address }}{{ $port = .port -}}
{{- end -}}
- to:
    - ipBlock: { cidr: {{ $ip }}/{{ contains ":" $ip | ternary 128 32 }} }
  ports:
    {{- range .protocols }}
    - { protocol: {{ . }}, port: {{ $port }} }
    {{- end }}
{{- end }}

{{/* Public addresses over TCP, as services/_chassis/src/net/public-address.ts defines them, except ingest.blockedCidrs; those below a NAT64 prefix likewise. */}}
{{- define "vds.toInternet" -}}
{{- $v4 := list "0.0.0.0/8" "10.0.0.0/8" "100.64.0.0/10" "127.0.0.0/8" "168.63.129.16/32" "169.254.0.0/16" "172.16.0.0/12"
  "192.0.0.0/24" "192.0.2.0/24" "192.31.196.0/24" "192.52.193.0/24" "192.88.99.0/24" "192.168.0.0/16" "192.175.48.0/24"
  "198.18.0.0/15" "198.51.100.0/24" "203.0.113.0/24" "224.0.0.0/4" "240.0.0.0/4" -}}
{{- $v6 := list "2001::/23" "2001:db8::/32" "2002::/16" "2620:4f:8000::/48" "3fff::/20" -}}
{{- range .Values.ingest.blockedCidrs -}}
{{- if not (contains ":" .) -}}
{{- $v4 = append $v4 (contains "/" . | ternary . (printf "%s/32" .)) -}}
{{- else if regexMatch "^[23][0-9a-fA-F]{3}:" . -}}
{{- $v6 = append $v6 (contains "/" . | ternary . (printf "%s/128" .)) -}}
{{- end -}}
{{- end -}}
{{- $translated := dict -}}
{{- range prepend .Values.ingest.nat64Prefixes "64:ff9b::/96" -}}
{{- $ranges := include "vds.nat64Ranges" (dict "prefix" . "ranges" (uniq $v4)) | fromYamlArray -}}
{{- $_ := set $translated . $ranges -}}
{{- if regexMatch "^[23][0-9a-fA-F]{3}:" . -}}
{{- $v6 = concat $v6 $ranges -}}
{{- end -}}
{{- end -}}
- to:
    - ipBlock:
        cidr: 0.0.0.0/0
        except: {{- toYaml (uniq $v4) | nindent 10 }}
    - ipBlock:
        cidr: 2000::/3
        except: {{- toYaml (uniq $v6) | nindent 10 }}
    {{- range $prefix, $ranges := $translated }}
    - ipBlock:
        cidr: {{ $prefix }}
        except: {{- toYaml $ranges | nindent 10 }}
    {{- end }}
  ports: [{ protocol: TCP }]
{{- end }}

{{/* Where NAT64 puts ranges of IPv4 below a prefix of 96 bits. */}}
{{- define "vds.nat64Ranges" -}}
{{- $below := trimSuffix "/96" .prefix -}}
{{- range .ranges }}
{{- $network := splitList "/" . -}}
{{- $octet := splitList "." (index $network 0) -}}
{{- $groups := printf "%x:%x" (add (mul 256 (index $octet 0)) (index $octet 1)) (add (mul 256 (index $octet 2)) (index $octet 3)) }}
- {{ $below }}{{ eq $groups "0:0" | ternary "" $groups }}/{{ add 96 (index $network 1) }}
{{- end }}
{{- end }}
