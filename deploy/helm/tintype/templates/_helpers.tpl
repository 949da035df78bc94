{{- define "tintype.name" -}}
{{- if contains "tintype" .Release.Name }}{{ .Release.Name }}{{ else }}{{ .Release.Name }}-tintype{{ end }}
{{- end }}

{{- /* The argument of the following ones: (dict "root" $ "component" "api"). */}}
{{- define "tintype.selector" -}}
app.kubernetes.io/name: tintype
app.kubernetes.io/instance: {{ .root.Release.Name }}
app.kubernetes.io/component: {{ .component }}
{{- end }}

{{- define "tintype.labels" -}}
{{ include "tintype.selector" . }}
app.kubernetes.io/version: {{ .root.Chart.AppVersion | quote }}
app.kubernetes.io/managed-by: {{ .root.Release.Service }}
helm.sh/chart: {{ printf "%s-%s" .root.Chart.Name .root.Chart.Version }}
{{- end }}

{{- /* The part that the pods of both components share. */}}
{{- define "tintype.pod" -}}
{{- $values := index .root.Values .component }}
serviceAccountName: {{ .root.Values.serviceAccount.name }}
automountServiceAccountToken: false
enableServiceLinks: false
{{- with .root.Values.imagePullSecrets }}
imagePullSecrets: {{ toYaml . | nindent 2 }}
{{- end }}
securityContext:
  runAsNonRoot: true
  runAsUser: 1000
  runAsGroup: 1000
  fsGroup: 1000
  seccompProfile: { type: RuntimeDefault }
topologySpreadConstraints:
  - maxSkew: 1
    topologyKey: kubernetes.io/hostname
    whenUnsatisfiable: ScheduleAnyway
    labelSelector:
      matchLabels: {{ include "tintype.selector" . | nindent 8 }}
{{- with $values.nodeSelector }}
nodeSelector: {{ toYaml . | nindent 2 }}
{{- end }}
{{- with $values.tolerations }}
tolerations: {{ toYaml . | nindent 2 }}
{{- end }}
{{- with $values.affinity }}
affinity: {{ toYaml . | nindent 2 }}
{{- end }}
volumes:
  # The records are in PostgreSQL and the images in the bucket, so nothing here needs to stay.
  - name: data
    emptyDir: { sizeLimit: {{ $values.dataSize }} }
  - name: tmp
    emptyDir: { sizeLimit: 1Gi }
{{- end }}

{{- /* The part that the containers of both components share. */}}
{{- define "tintype.container" -}}
{{- $values := index .root.Values .component }}
image: "{{ .root.Values.image.repository }}:{{ .root.Values.image.tag | default .root.Chart.AppVersion }}"
imagePullPolicy: {{ .root.Values.image.pullPolicy }}
envFrom:
  - configMapRef: { name: {{ include "tintype.name" .root }} }
  - secretRef: { name: {{ .root.Values.existingSecret }} }
securityContext:
  allowPrivilegeEscalation: false
  readOnlyRootFilesystem: true
  capabilities: { drop: [ALL] }
resources: {{ toYaml $values.resources | nindent 2 }}
volumeMounts:
  - { name: data, mountPath: /data }
  - { name: tmp, mountPath: /tmp }
{{- end }}

{{- define "tintype.annotations" -}}
{{- $values := index .root.Values .component }}
# A change of the settings restarts the pods.
checksum/settings: {{ toJson .root.Values.settings | sha256sum }}
{{- with $values.podAnnotations }}
{{ toYaml . }}
{{- end }}
{{- end }}
