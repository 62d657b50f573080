import { Tags, tagKey } from "@shared/annotations.ts";
import type { Host } from "@shared/hosts.ts";
import { useController } from "react-hook-form";
import { z } from "zod";
import { type BatchDialogProps, BatchFormDialog } from "@/components/batch/batch-form-dialog";
import { isTagged } from "@/components/batch/is-done";
import type { Suggestion } from "@/components/chips/suggestions";
import { TagsField } from "@/components/tags/tags-field";
import { useTagSuggestions } from "@/components/tags/use-tag-suggestions";
import { formatNumber } from "@/lib/format-number";

const TagForm = z.object({ add: Tags, remove: Tags }).superRefine(({ add, remove }, context) => {
  const refuse = (field: string, message: string) =>
    context.addIssue({ code: "custom", path: [field], message });
  const removed = new Set(remove.map(tagKey));

  if (add.length + remove.length === 0) refuse("add", "请填写要添加或移除的标签");
  if (add.some((tag) => removed.has(tagKey(tag)))) {
    refuse("remove", "同一个标签不能既添加又移除");
  }
});

/** Adds tags to the chosen hosts and removes others from them; what else they have stays. */
export function BatchTagDialog(props: BatchDialogProps) {
  const { hosts } = props.subject;

  return (
    <BatchFormDialog
      {...props}
      act="tag"
      schema={TagForm}
      defaultValues={{ add: [], remove: [] }}
      toGroups={({ add, remove }, { send, readBack }) => [
        {
          hosts,
          whenLost: readBack(isTagged({ add, remove })),
          send: (hostIds) => send({ operation: "tag", hostIds, add, remove }),
        },
      ]}
    >
      <TagFields hosts={hosts} />
    </BatchFormDialog>
  );
}

function TagFields({ hosts }: { hosts: readonly Host[] }) {
  const add = useController<TagForm, "add">({ name: "add" });
  const remove = useController<TagForm, "remove">({ name: "remove" });

  return (
    <>
      <TagsField
        label="添加"
        placeholder="添加标签"
        help="回车或逗号添加，已有的标签不重复"
        values={add.field.value}
        suggestions={useTagSuggestions()}
        error={add.fieldState.error?.message}
        onChange={add.field.onChange}
      />
      <TagsField
        label="移除"
        placeholder="移除标签"
        help="可以选择这些主机现有的标签"
        values={remove.field.value}
        suggestions={tagsOf(hosts)}
        error={remove.fieldState.error?.message}
        onChange={remove.field.onChange}
      />
    </>
  );
}

type TagForm = z.infer<typeof TagForm>;

/** The tags of the hosts, those of most of them first, as they are written first. */
function tagsOf(hosts: readonly Host[]): Suggestion[] {
  const byKey = Map.groupBy(
    hosts.flatMap(({ tags }) => tags),
    tagKey,
  );
  return [...byKey.values()]
    .toSorted((one, other) => other.length - one.length)
    .map((spellings) => ({
      text: spellings[0] ?? "",
      detail: `${formatNumber(spellings.length)} 台`,
    }));
}
