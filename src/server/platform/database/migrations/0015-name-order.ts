import { Migration } from "@mikro-orm/migrations";
import { HAN_BY_PINYIN } from "../han-by-pinyin.ts";

/** ICU's order of the language, with numbers in a text compared as numbers. */
const LOCALE = "zh-u-co-pinyin-kn-true";

/**
 * The same order for an ICU without the data of any language, as the embedded database has it:
 * Chinese before Latin, and the three words of ICU's data in which a character is read otherwise.
 */
const HAN = HAN_BY_PINYIN.replace("虫", "虫<重庆<*")
  .replace("弞", "弞<沈阳<*")
  .replace("銺", "銺<藏文<*");
const RULES = `[numericOrdering on][reorder Hani]&[last regular]<*${HAN}`;

/**
 * Names of hosts are sorted as people sort them: Chinese by pinyin, without regard to case, numbers
 * as numbers. `name_order` is made by the first of these that the server can do:
 *
 * 1. ICU's data of the language: PostgreSQL as it is packaged everywhere.
 * 2. Rules in place of the data, since PostgreSQL 16: the embedded database.
 * 3. By code point, as before: a server built without ICU.
 *
 * Only the index is built anew, not the table. A replica of an earlier version sorts by the same
 * column, so it has the new order at once.
 */
export class NameOrder extends Migration {
  override up(): void {
    this.addSql(`
      do $order$
      begin
        begin
          create collation name_order (provider = icu, locale = '${LOCALE}');
        exception when others then
          create collation name_order from "C";
        end;

        if current_setting('server_version_num')::int >= 160000
          and (select collprovider from pg_collation where collname = 'name_order') = 'i'
          and not ('2' collate name_order < '10' and '风' collate name_order < '运')
        then
          drop collation name_order;
          execute $create$create collation name_order (provider = icu, locale = 'und', rules = '${RULES}')$create$;
        end if;
      end
      $order$`);
    this.addSql("alter table hosts alter column sort_name type text collate name_order");
  }
}
