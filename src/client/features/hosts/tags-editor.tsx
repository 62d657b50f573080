import { MAX_TAGS } from "@shared/annotations.ts";
import type { Host } from "@shared/hosts.ts";
import { type FormEvent, useEffect, useRef, useState } from "react";
import { trpc } from "@/api/trpc";
import { TagsField } from "@/components/tags/tags-field";
import { useTagSuggestions } from "@/components/tags/use-tag-suggestions";
import { Button } from "@/components/ui/button";
import { useLeaveGuard } from "@/lib/use-leave-guard";
import { mergeTags } from "./merge-tags";

type TagsEditorProps = { host: Host; onClose: () => void };

/** In place of the tags of a host. They are stored at once, by the button. */
export function TagsEditor({ host, onClose }: TagsEditorProps) {
  const annotate = trpc.hosts.annotate.useMutation({ meta: { errorTitle: "保存失败" } });
  const suggestions = useTagSuggestions();
  const [before] = useState(host.tags);
  const [edited, setEdited] = useState(host.tags);
  const form = useRef<HTMLFormElement>(null);
  const isChanged = edited.join() !== before.join();
  useLeaveGuard(isChanged);
  useEffect(() => form.current?.querySelector("input")?.focus(), []);

  function save(event: FormEvent): void {
    event.preventDefault();
    if (annotate.isPending) return;

    const tags = mergeTags({ before, edited, stored: host.tags });
    annotate.mutate({ id: host.id, tags }, { onSuccess: onClose });
  }

  return (
    <form
      ref={form}
      noValidate
      className="grid gap-3 rounded-md border bg-card p-3.5"
      onSubmit={save}
    >
      <TagsField
        label="标签"
        placeholder="添加标签"
        help={`回车或逗号添加，最多 ${MAX_TAGS} 个`}
        values={edited}
        suggestions={suggestions}
        onChange={setEdited}
      />
      <div className="flex gap-2">
        <Button type="submit" size="sm" loading={annotate.isPending}>
          保存
        </Button>
        <Button variant="outline" size="sm" onClick={onClose}>
          取消
        </Button>
      </div>
    </form>
  );
}
