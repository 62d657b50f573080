import { type BatchDialogProps, BatchFormDialog } from "@/components/batch/batch-form-dialog";
import { NoFields } from "@/components/form-dialog/form-dialog";

/** A sync calls the provider for every host; small chunks stay within the time-out of a call. */
const CHUNK_SIZE = 20;

export function BatchSyncDialog(props: BatchDialogProps) {
  const { hosts } = props.subject;
  return (
    <BatchFormDialog
      {...props}
      act="sync"
      schema={NoFields}
      defaultValues={{}}
      toGroups={(_, { send }) => [
        {
          hosts,
          size: CHUNK_SIZE,
          whenLost: "send again",
          send: (hostIds) => send({ operation: "sync", hostIds }),
        },
      ]}
    >
      <p className="text-muted-foreground">逐台向云服务商查询最新状态。</p>
    </BatchFormDialog>
  );
}
