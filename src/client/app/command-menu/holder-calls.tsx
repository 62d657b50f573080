import type { Host } from "@shared/hosts.ts";
import { hasPermission } from "@shared/roles.ts";
import { Phone } from "lucide-react";
import { trpc } from "@/api/trpc";
import { CommandGroup, CommandItem } from "@/components/ui/command";
import { useCurrentUser } from "@/session/session";

/** A search that finds more hosts than this does not mean one person. */
const CALLED_HOSTS = 3;

/** A way to call each person who has one of the few hosts found, where the number is known. */
export function HolderCalls({ hosts, onDone }: { hosts: readonly Host[]; onDone: () => void }) {
  const { role } = useCurrentUser();
  const isMeant = hosts.length <= CALLED_HOSTS && hasPermission(role, "users:read");
  const holders = isMeant ? hosts.flatMap(({ users }) => users) : [];
  const ids = [...new Set(holders.map(({ id }) => id))];
  const found = trpc.useQueries((t) => ids.map((id) => t.users.get({ id })));
  const reachable = found.flatMap(({ data }) =>
    data?.phone ? [{ ...data, phone: data.phone }] : [],
  );
  if (reachable.length === 0) return null;

  return (
    <CommandGroup heading="联系用户">
      {reachable.map(({ id, name, phone }) => (
        <CommandItem
          key={id}
          value={`call:${id}`}
          icon={<Phone />}
          trailing={<span className="font-mono">{phone}</span>}
          onSelect={() => {
            onDone();
            location.assign(`tel:${phone}`);
          }}
        >
          拨打 {name}
        </CommandItem>
      ))}
    </CommandGroup>
  );
}
