import { AnnotateHostInput, MAX_NOTE_LENGTH } from "@shared/annotations.ts";
import type { Host } from "@shared/hosts.ts";
import { trpc } from "@/api/trpc";
import { FormDialog } from "@/components/form-dialog/form-dialog";
import { hostTitle } from "@/components/hosts/host-facts";
import { NoteField } from "@/components/notes/note-field";
import { NOTE_LABEL } from "@/components/notes/note-label";
import type { DialogProps } from "@/lib/use-dialog";

const NoteForm = AnnotateHostInput.pick({ note: true });

export function NoteDialog({ host, ...dialog }: DialogProps & { host: Host }) {
  const annotate = trpc.hosts.annotate.useMutation();

  return (
    <FormDialog
      {...dialog}
      title={NOTE_LABEL}
      description={hostTitle(host)}
      draft={`hosts.note:${host.id}`}
      schema={NoteForm}
      defaultValues={{ note: host.note ?? "" }}
      submitLabel="保存"
      errorTitle="保存失败"
      onSubmit={(_values, edited) => annotate.mutateAsync({ ...edited, id: host.id })}
    >
      {() => (
        <NoteField
          rows={8}
          help={`只有超级管理员看到，最多 ${MAX_NOTE_LENGTH} 个字符；清空则删除`}
          stored={host.note}
        />
      )}
    </FormDialog>
  );
}
