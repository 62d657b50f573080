import { PASSWORD_RULES } from "@shared/passwords.ts";
import { Check, Circle } from "lucide-react";
import { cn } from "@/lib/cn";

/** What a new password must hold, each line ticked as soon as it does. */
export function PasswordRules({ password, className }: { password: string; className?: string }) {
  return (
    <ul aria-label="密码要求" className={cn("grid gap-1 sm:grid-cols-2", className)}>
      {PASSWORD_RULES.map(({ label, holds }) => {
        const isFulfilled = holds(password);
        const Icon = isFulfilled ? Check : Circle;

        return (
          <li
            key={label}
            className={cn(
              "flex items-center gap-1.5 text-xs",
              isFulfilled ? "text-success-ink" : "text-muted-foreground",
            )}
          >
            <Icon className={cn("size-3.5 shrink-0", !isFulfilled && "p-0.5")} />
            <span>{label}</span>
            <span className="sr-only">{isFulfilled ? "，已满足" : "，未满足"}</span>
          </li>
        );
      })}
      <li className="flex items-center gap-1.5 text-xs text-muted-foreground sm:col-span-2">
        <Circle className="size-3.5 shrink-0 p-0.5" />
        <span>不是常见密码，提交时检查</span>
      </li>
    </ul>
  );
}
