import { NOTHING } from "@/lib/format";
import { TagLinks } from "./tag-links";

const SHOWN = 3;

/** In one line of a table: the first tags, and how many others there are. */
export function TagsCell({ tags }: { tags: readonly string[] }) {
  if (tags.length === 0) return <span className="text-subtle-foreground">{NOTHING}</span>;

  const others = tags.slice(SHOWN);
  return (
    <span className="inline-flex max-w-72 items-center gap-1 align-middle">
      <TagLinks tags={tags.slice(0, SHOWN)} className="flex-nowrap" />
      {others.length === 0 ? null : (
        <span className="shrink-0 text-xs text-muted-foreground" title={others.join("、")}>
          {`+${others.length}`}
        </span>
      )}
    </span>
  );
}
