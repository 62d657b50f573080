import { AdminContact } from "@/components/admin-contact";
import { Card, CardContent, CardHeader, CardTitle } from "@/components/ui/card";
import { useResponsibleAdmin } from "@/components/use-responsible-admin";

/** Whom a client calls. */
export function ContactCard() {
  const admin = useResponsibleAdmin();
  return (
    <Card>
      <CardHeader>
        <CardTitle>联系人</CardTitle>
      </CardHeader>
      <CardContent className="grid grid-cols-[minmax(0,1fr)] gap-1 pt-1 pb-3">
        <p className="[overflow-wrap:anywhere]">{`付款或使用中遇到问题，请联系${admin}。`}</p>
        <AdminContact />
      </CardContent>
    </Card>
  );
}
