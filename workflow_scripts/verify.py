"""Compare every result with its seal, and remove what is damaged."""

from marginfs.errors import DamagedFileError
from marginfs.seals import remove_damaged
from marginfs.study.process import logged

with logged(snakemake.log[0]):
    files = remove_damaged(".", thorough=True)
    wrong = [sentence for sentence in files.values() if sentence]
    count = f"{len(files) - len(wrong)} of {len(files)} files under results/ are as their jobs wrote them"
    if wrong:
        raise DamagedFileError("\n".join([f"{count}; what is damaged was removed:", *wrong]))
    print(f"marginfs: {count}")
