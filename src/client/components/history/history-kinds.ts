import type { HostHistoryKind } from "@shared/host-history.ts";
import {
  ArrowRightLeft,
  Ban,
  CalendarClock,
  CalendarPlus,
  CircleCheck,
  CircleX,
  CloudOff,
  CloudUpload,
  HandCoins,
  type LucideIcon,
  PencilLine,
  Plus,
  Undo2,
  UserMinus,
  UserPlus,
} from "lucide-react";
import type { BadgeTone } from "@/components/ui/badge";

interface KindLook {
  readonly icon: LucideIcon;
  readonly tone: BadgeTone;
}

/** The label says it as well: no kind is told by its colour alone. */
export const KIND_LOOKS: Readonly<Record<HostHistoryKind, KindLook>> = {
  created: { icon: Plus, tone: "success" },
  changed: { icon: PencilLine, tone: "info" },
  moved: { icon: ArrowRightLeft, tone: "info" },
  gone: { icon: CloudOff, tone: "danger" },
  returned: { icon: CloudUpload, tone: "success" },
  assigned: { icon: UserPlus, tone: "accent" },
  unassigned: { icon: UserMinus, tone: "neutral" },
  assignment_changed: { icon: CalendarClock, tone: "info" },
  renewal_created: { icon: CalendarPlus, tone: "accent" },
  renewal_approved: { icon: HandCoins, tone: "info" },
  renewal_rejected: { icon: CircleX, tone: "danger" },
  renewal_completed: { icon: CircleCheck, tone: "success" },
  renewal_cancelled: { icon: Ban, tone: "neutral" },
  renewal_undone: { icon: Undo2, tone: "warning" },
};
