import { trpc } from "@/api/trpc";
import { NOTHING } from "@/lib/format";

/** "…" while it loads. For super admins only. */
export function ConfigName({ id }: { id: string | null }) {
  const configs = trpc.configs.list.useQuery();
  if (id === null) return <span className="text-subtle-foreground">{NOTHING}</span>;

  const name = configs.data?.find((config) => config.id === id)?.name ?? "…";
  return <span title={name}>{name}</span>;
}
