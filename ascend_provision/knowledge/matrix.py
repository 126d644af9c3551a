"""The matrix: do these versions go together, by every published row and by what installed packages say themselves?

What no row prints is unknown and names the nearest rows. A row nobody can look up never forbids; a site's own rows
override published ones and are named as the site's in every answer that rests on them.
"""

from __future__ import annotations

import functools
from collections.abc import Mapping

from ascend_provision.knowledge import answers, conflicts, evaluation, patterns, shipped_lists
from ascend_provision.knowledge import relations as relation_rows
from ascend_provision.knowledge.answers import Answer, Fit
from ascend_provision.knowledge.components import Component, Item, parse, title
from ascend_provision.knowledge.evaluation import Pair, Verdict
from ascend_provision.knowledge.explanation import Conflict, Explanation, Judged, Lists, files_first, table_first
from ascend_provision.knowledge.published_rows import published_rows
from ascend_provision.knowledge.relations import Relation
from ascend_provision.knowledge.remarks import remarks
from ascend_provision.knowledge.site_rows import site_rows
from ascend_provision.knowledge.statements import Statement
from ascend_provision.knowledge.told_by_files import told_by_files
from ascend_provision.stack.versions import Version

__all__ = [
    "Component",
    "Conflict",
    "Explanation",
    "Item",
    "Judged",
    "Lists",
    "Matrix",
    "Statement",
    "parse",
    "published",
]

AnItem = Item | tuple[Component, str]
PER_CHIP: frozenset[Component] = frozenset({"hdk", "firmware"})
"""Built per chip: where rows name a chip, only what they name exists for it."""


class Matrix:
    """Rows and the relations they are read by; never changes."""

    def __init__(self, statements: tuple[Statement, ...], relations: tuple[Relation, ...] | None = None) -> None:
        self.statements = statements
        self.relations = relation_rows.known() if relations is None else relations
        self._by_pair: dict[tuple[Component, Component, str], tuple[Statement, ...]] = {}
        self._verdicts: dict[tuple[Item, Item, str], Verdict] = {}
        self._series: dict[tuple[Item, Component], tuple[str, ...]] = {}
        self._by_item: dict[tuple[Component, Component, Item, str], tuple[Statement, ...]] = {}

    @staticmethod
    def published() -> Matrix:
        """The rows this package carries; built once."""
        return published()

    def with_site(self, text: str, name: str) -> Matrix:
        """This matrix with the rows of a site's YAML file `name`; UsageError naming file, row and field if broken."""
        return Matrix((*self.statements, *site_rows(text, name)), self.relations)

    def judge(self, a: AnItem, b: AnItem, chip: str = "") -> Answer:
        """Do these two go together, by the rows alone? `chip` is a package token (910b). UsageError for no version."""
        return self.verdict(a, b, chip).answer

    def verdict(self, a: AnItem, b: AnItem, chip: str = "") -> Verdict:
        """As `judge`, with the rows the answer rests on."""
        one, other = _item(a), _item(b)
        if (one, other, chip) not in self._verdicts:
            self._verdicts[one, other, chip] = self._judged(one, other, chip)
        return self._verdicts[one, other, chip]

    def fit(self, a: AnItem, b: AnItem, chip: str = "") -> Fit:
        """The verdict of `judge` without its words, a hundred times as fast: for who asks about thousands of pairs."""
        return self._judged(_item(a), _item(b), chip, brief=True).answer.verdict

    def related(self, a: Component, b: Component) -> Relation | None:
        """The relation two components are judged by, whichever is named first; None when nothing relates them."""
        return next((row for row in self.relations if {row.subject, row.object} == {a, b}), None)

    def candidates(self, component: Component, chip: str = "") -> tuple[str, ...]:
        """Every version that a row names for this chip, oldest first; versions of another line come after."""
        naming = [row for row in self.statements if component in row.parts and row.covers(chip)]
        if component in PER_CHIP and (own := [row for row in naming if row.chips]):
            naming = own
        texts = (pattern for row in naming for pattern in row.parts[component])
        found: dict[Version, str] = {}
        for text in texts:
            if (version := patterns.exact(component, text)) is not None:
                found.setdefault(version, text)
        return tuple(text for _, text in sorted(found.items(), key=lambda entry: entry[0]))

    def explain(self, items: Mapping[Component, str], chip: str = "", lists: Lists | None = None) -> Explanation:
        """Every pair that is related, with its answer and rows.

        `lists` is what the installed packages say; without it, what packages of these versions were seen to say.
        """
        asked = tuple(Item(component=component, version=version) for component, version in items.items())
        for item in asked:
            parse(item.component, item.version)
        told = (*asked, *(item for item in self._derived(asked, chip) if item.component not in items))
        pairs = []
        for index, a in enumerate(told):
            for b in told[index + 1 :]:
                if self.related(a.component, b.component) and not self._told_through(a, b, asked):
                    pairs.append(self._pair(a, b, chip, lists))
        return Explanation(items=asked, chip=chip, pairs=tuple(pairs), remarks=remarks(items, chip))

    def conflicts(self) -> tuple[Conflict, ...]:
        """Rows that contradict each other."""
        return conflicts.between(self.statements, self.relations)

    def _judged(self, a: Item, b: Item, chip: str, *, brief: bool = False) -> Verdict:
        relation = self.related(a.component, b.component)
        parse(a.component, a.version), parse(b.component, b.version)
        if relation is None:
            why = f"nothing published relates {title(a.component)} and {title(b.component)}"
            return Verdict(answers.unknown(why), ())
        subject, other = (a, b) if a.component == relation.subject else (b, a)
        pair = Pair(relation, subject, other, chip, brief)
        found = evaluation.read(pair, self._naming(relation, subject, chip))
        if relation.through:
            found = found._replace(yes=(*found.yes, *self._through(pair, relation.through, chip)))
        listed = self._listed(relation.subject, relation.object, chip)
        return evaluation.weigh(pair, found, self._naming(relation, other, chip) if brief else listed)

    def _through(self, pair: Pair, component: Component, chip: str) -> tuple[Statement, ...]:
        """Rows about the subject's own series that say yes to the object."""
        relation = self.related(component, pair.object.component)
        if relation is None:
            return ()
        rows: list[Statement] = []
        for version in self._own(pair.subject, component, chip):
            series = Pair(relation, Item(component=component, version=version), pair.object)
            rows.extend(evaluation.read(series, self._naming(relation, series.subject, chip)).yes)
        return tuple(rows)

    def _own(self, item: Item, component: Component, chip: str) -> tuple[str, ...]:
        """The versions of `component` that rows about exactly this item name (the series of a torch_npu)."""
        key = (item, component)
        if key not in self._series:
            relation = self.related(item.component, component)
            texts: list[str] = []
            for row in self._listed(item.component, component, chip) if relation else ():
                asked = Pair(relation, item, item) if relation else None
                if asked and asked.meant(row, item.component):
                    texts.extend(row.parts[component])
            self._series[key] = tuple(dict.fromkeys(texts))
        return self._series[key]

    def _derived(self, asked: tuple[Item, ...], chip: str) -> tuple[Item, ...]:
        """What follows from an item alone: the series of a torch_npu."""
        through = {row.subject: row.through for row in self.relations if row.through}
        found = [
            Item(component=component, version=version)
            for item in asked
            if (component := through.get(item.component))
            for version in self._own(item, component, chip)[:1]
        ]
        return tuple(found)

    def _told_through(self, a: Item, b: Item, asked: tuple[Item, ...]) -> bool:
        """A derived item is not judged against what its own item is judged against already."""
        for one, other in ((a, b), (b, a)):
            if one in asked:
                continue
            sources = [row.subject for row in self.relations if row.through == one.component]
            if other.component in sources or any(self.related(source, other.component) for source in sources):
                return True
        return False

    def _listed(self, subject: Component, other: Component, chip: str) -> tuple[Statement, ...]:
        if (subject, other, chip) not in self._by_pair:
            about = (row for row in self.statements if row.subject == subject and other in row.parts)
            self._by_pair[subject, other, chip] = tuple(row for row in about if row.covers(chip))
        return self._by_pair[subject, other, chip]

    def _naming(self, relation: Relation, item: Item, chip: str) -> tuple[Statement, ...]:
        """The rows of a relation that may mean this item; those that repeat the other's version always may."""
        key = (relation.subject, relation.object, item, chip)
        if key not in self._by_item:
            asked = Pair(relation, item, item)
            self._by_item[key] = tuple(
                row
                for row in self._listed(relation.subject, relation.object, chip)
                if any(patterns.same_as(pattern) for pattern in row.parts[item.component])
                or asked.meant(row, item.component) is not False
            )
        return self._by_item[key]

    def _pair(self, a: Item, b: Item, chip: str, lists: Lists | None) -> Judged:
        found = self.verdict(a, b, chip)
        versions = {a.component: a.version, b.component: b.version}
        files = told_by_files(versions, lists or shipped_lists.recorded(versions, chip))
        answer = found.answer
        if files is not None:
            first = files_first if "firmware" in (a.component, b.component) else table_first
            answer = first(found.answer, files)
        return Judged(a=a, b=b, answer=answer, table=found.answer, files=files, statements=found.statements)


def _item(value: AnItem) -> Item:
    return value if isinstance(value, Item) else Item(component=value[0], version=value[1])


@functools.cache
def published() -> Matrix:
    """The matrix of every published row; built once."""
    return Matrix(published_rows())
