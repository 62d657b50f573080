import { isSuperAdmin } from "@shared/roles.ts";
import { z } from "zod";
import { useStored } from "@/lib/storage";
import { useMedia } from "@/lib/use-media";
import { useCurrentUser } from "@/session/session";

const HIDDEN_AT_FIRST = {
  memory: false,
  disk: false,
  osName: false,
  charge: false,
  autoRenew: false,
  tags: false,
  note: false,
  config: false,
  synced: false,
};
const ColumnVisibility = z.record(z.string(), z.boolean());
const StoredDensity = z.enum(["comfortable", "compact"]);

/**
 * How high the rows of hosts are and which columns they have, as this browser had them last. A super
 * admin works through long lists: on a wide screen a compact row holds every column in one line.
 * Beside the column of users there is no room for the zone at first where the screen is narrower.
 */
export function useHostLayout({ hasUsers }: { hasUsers: boolean }) {
  const { role } = useCurrentUser();
  const isWide = useMedia("(min-width: 80rem)");
  const hasRoomForZone = useMedia("(min-width: 85rem)") || !hasUsers;
  const [chosenDensity, setDensity] = useStored("hosts.density", StoredDensity.nullable(), null);
  const [chosenVisibility, setVisibility] = useStored("hosts.columns", ColumnVisibility, {});
  const usualDensity = isWide && isSuperAdmin(role) ? "compact" : "comfortable";
  const visibility: Record<string, boolean> = {
    ...HIDDEN_AT_FIRST,
    zoneName: hasRoomForZone,
    ...chosenVisibility,
  };

  return {
    density: chosenDensity ?? usualDensity,
    setDensity,
    visibility,
    setVisibility,
    isShown: ({ id }: { id: string }) => visibility[id] !== false,
  };
}
