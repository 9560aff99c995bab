/** What the cache has to know of a row. */
interface Keyed {
  readonly pk: string;
  readonly sk: string;
  readonly bytes: number;
}

/** Bytes of items that are kept, roughly; a namespace that reads little keeps little. */
const maxBytes = 2 * 1024 * 1024;
/** Larger items are read so seldom that they would only push others out. */
const largestItem = 8 * 1024;
/** What an entry takes beside the text of its item, roughly. */
const bytesOfEntry = 200;

/** Items that were read or written of late: finding one here costs a tenth of asking SQLite. */
export class ItemCache<ItemRow extends Keyed> {
  readonly #items = new Map<string, ItemRow>();
  readonly #keys = new KeyWriter();
  #bytes = 0;

  get(databaseRef: number, pk: string, sk: string): ItemRow | undefined {
    return this.#items.get(this.#keys.write(databaseRef, pk, sk));
  }

  set(databaseRef: number, item: ItemRow): void {
    const key = this.#keys.write(databaseRef, item.pk, item.sk);
    const before = this.#items.get(key);
    if (before !== undefined) this.#bytes -= before.bytes + bytesOfEntry;
    if (item.bytes > largestItem) {
      this.#items.delete(key);
      return;
    }
    if (this.#bytes > maxBytes) this.clear();
    this.#items.set(key, item);
    this.#bytes += item.bytes + bytesOfEntry;
  }

  delete(databaseRef: number, pk: string, sk: string): void {
    const key = this.#keys.write(databaseRef, pk, sk);
    const before = this.#items.get(key);
    if (before === undefined) return;
    this.#bytes -= before.bytes + bytesOfEntry;
    this.#items.delete(key);
  }

  clear(): void {
    this.#items.clear();
    this.#bytes = 0;
  }
}

/** Writes the key of an item as one text; a write looks its item up first, so the last one is kept. */
class KeyWriter {
  #databaseRef = -1;
  #pk = "";
  #sk = "";
  #key = "";

  write(databaseRef: number, pk: string, sk: string): string {
    if (pk !== this.#pk || sk !== this.#sk || databaseRef !== this.#databaseRef) {
      this.#databaseRef = databaseRef;
      this.#pk = pk;
      this.#sk = sk;
      // keys may hold any character, so the length of the first tells where it ends
      this.#key = `${databaseRef} ${pk.length} ${pk}${sk}`;
    }
    return this.#key;
  }
}
