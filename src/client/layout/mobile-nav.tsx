import { Menu } from "lucide-react";
import { useState } from "react";
import { Button } from "@/components/ui/button";
import { DialogBody, DialogHeader } from "@/components/ui/dialog";
import { Sheet, SheetContent, SheetTrigger } from "@/components/ui/sheet";
import { useBack } from "@/lib/use-back";
import { HelpLinks } from "./help-links";
import { NavList } from "./nav-list";

/** The sidebar of phones: a sheet behind the menu button. */
export function MobileNav() {
  const [isOpen, setOpen] = useState(false);
  useBack(isOpen, () => setOpen(false));
  return (
    <Sheet open={isOpen} onOpenChange={setOpen}>
      <SheetTrigger asChild>
        <Button variant="ghost" size="lg" icon aria-label="打开导航菜单" className="-ml-2 md:hidden">
          <Menu aria-hidden="true" />
        </Button>
      </SheetTrigger>
      <SheetContent side="left" size="sm">
        <DialogHeader title="多主机管理系统" />
        <DialogBody className="flex flex-col px-2 py-2">
          <nav aria-label="主导航" className="flex-1">
            <NavList onNavigate={() => setOpen(false)} />
          </nav>
          <div className="mt-2 grid border-t pt-2 pb-[env(safe-area-inset-bottom)]">
            <HelpLinks className="h-11 px-3 text-lg" />
          </div>
        </DialogBody>
      </SheetContent>
    </Sheet>
  );
}
