import type { ReactNode } from "react";
import {
  Card,
  CardAction,
  CardContent,
  CardDescription,
  CardHeader,
  CardTitle,
} from "@/components/ui/card";

type StepCardProps = {
  number: number;
  title: string;
  description?: ReactNode;
  action?: ReactNode;
  /** On a phone the action stands below the title, which would have no room beside it. */
  isActionWide?: boolean;
  children: ReactNode;
};

const BELOW_ON_PHONES =
  "max-sm:col-span-2 max-sm:col-start-1 max-sm:row-span-1 max-sm:row-start-3 max-sm:mt-3";

/** A step of the import; all of them are in sight. */
export function StepCard(props: StepCardProps) {
  const { number, title, description, action, isActionWide = false, children } = props;
  return (
    <Card>
      <CardHeader>
        <CardTitle className="flex items-center gap-2">
          <span
            aria-hidden="true"
            className="grid size-5 shrink-0 place-items-center rounded-full bg-primary-soft text-xs text-primary-ink tabular-nums"
          >
            {number}
          </span>
          {title}
        </CardTitle>
        {description ? <CardDescription>{description}</CardDescription> : null}
        {action ? (
          <CardAction className={isActionWide ? BELOW_ON_PHONES : ""}>{action}</CardAction>
        ) : null}
      </CardHeader>
      <CardContent className="grid grid-cols-[minmax(0,1fr)] content-start gap-3">
        {children}
      </CardContent>
    </Card>
  );
}
