import type { Renewal } from "@shared/renewals.ts";
import { Link } from "wouter";
import { hostTitle } from "@/components/hosts/host-facts";
import { Button, type ButtonProps } from "@/components/ui/button";
import type { RenewalAction } from "./decisions";

export type OnAct = (action: RenewalAction, renewal: Renewal) => void;

type DecisionButtonsProps = { renewal: Renewal; onAct: OnAct; size?: "sm" | "md" };

/**
 * What the super admin may do next with a request; nothing for a closed one. `data-request` is for
 * the keys of the queue.
 */
export function DecisionButtons({ renewal, onAct, size = "md" }: DecisionButtonsProps) {
  const { id, status } = renewal;
  if (status === "pending") {
    return (
      <Button size={size} data-request={id} onClick={() => onAct("approve", renewal)}>
        处理
      </Button>
    );
  }

  if (status === "approved") {
    return (
      <>
        <Button
          size={size}
          variant="outline"
          className="text-danger-ink"
          aria-label="关闭申请"
          onClick={() => onAct("close", renewal)}
        >
          {size === "sm" ? "关闭" : "关闭申请"}
        </Button>
        <Button size={size} data-request={id} onClick={() => onAct("complete", renewal)}>
          标记完成
        </Button>
      </>
    );
  }

  return null;
}

type DetailsLinkProps = ButtonProps & { href: string };

/** To the details of a request, drawn as a button. */
export function DetailsLink({ href, "aria-label": label, ...button }: DetailsLinkProps) {
  return (
    <Button variant="outline" {...button} asChild>
      <Link href={href} aria-label={label}>
        详情
      </Link>
    </Button>
  );
}

/** Tells the links to the details of several requests apart. */
export function detailsLabel({ user, host }: Renewal): string {
  return `${user.name} 的 ${hostTitle(host)} 续费申请详情`;
}
