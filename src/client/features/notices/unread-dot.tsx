import { StatusDot } from "@/components/ui/badge";

export function UnreadDot() {
  return (
    <span>
      <StatusDot tone="accent" />
      <span className="sr-only">未读</span>
    </span>
  );
}
