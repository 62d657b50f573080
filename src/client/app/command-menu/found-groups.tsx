import { isAdmin } from "@shared/roles.ts";
import { Server, Tag, UserRound } from "lucide-react";
import { useCurrentUser } from "@/session/session";
import { FoundGroup } from "./found-group";
import { HolderCalls } from "./holder-calls";
import { hostResult } from "./host-result";
import { tagResults } from "./tag-results";
import type { useFound } from "./use-found";
import { userResult } from "./user-result";

type FoundGroupsProps = {
  found: ReturnType<typeof useFound>;
  onOpen: (href: string) => void;
  onClose: () => void;
};

/** What the server found: hosts, those who can be called about them, tags and users. */
export function FoundGroups({ found, onOpen, onClose }: FoundGroupsProps) {
  const { role } = useCurrentUser();
  const { search, hosts, shownHosts, tags, users } = found;
  if (search === null) return null;

  const query = new URLSearchParams({ search });

  return (
    <>
      <FoundGroup
        heading="主机"
        icon={Server}
        query={hosts}
        onOpen={onOpen}
        total={hosts.data?.pagination.total}
        allHref={`/hosts?${query}`}
        rows={shownHosts.map((host) => hostResult(role, host, search))}
      />
      <HolderCalls hosts={shownHosts} onDone={onClose} />
      <FoundGroup
        heading="标签"
        icon={Tag}
        query={tags}
        onOpen={onOpen}
        total={undefined}
        allHref="/hosts"
        rows={tagResults(tags.data ?? [], search)}
      />
      <FoundGroup
        heading="用户"
        icon={UserRound}
        query={users}
        onOpen={onOpen}
        total={users.data?.pagination.total}
        allHref={`${isAdmin(role) ? "/my-clients" : "/users"}?${query}`}
        rows={users.data?.users.map((user) => userResult(user, search))}
      />
    </>
  );
}
