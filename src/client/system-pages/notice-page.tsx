import type { LucideIcon } from "lucide-react";
import type { ReactNode } from "react";
import { useSession } from "@/session/session";

type NoticePageProps = { icon: LucideIcon; title: string; description: ReactNode; action: ReactNode };

/** One message and one link. Inside the shell for a signed-in user, else alone on the page. */
export function NoticePage({ icon: Icon, title, description, action }: NoticePageProps) {
  const { user } = useSession();
  const notice = (
    <div className="flex flex-col items-center px-6 py-16 text-center md:py-24">
      <span className="grid size-14 place-items-center rounded-md border bg-card text-muted-foreground shadow-xs">
        <Icon aria-hidden="true" className="size-6.5" />
      </span>
      <h1 className="mt-5 text-xl font-semibold">{title}</h1>
      <p className="mt-1.5 max-w-md text-balance text-muted-foreground">{description}</p>
      <div className="mt-6 flex flex-wrap justify-center gap-2">{action}</div>
    </div>
  );
  return user !== null ? notice : <main className="grid min-h-dvh place-items-center">{notice}</main>;
}
