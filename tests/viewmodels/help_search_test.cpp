#include "vm/base/word_search.hpp"
#include "vm/recipe/report.hpp"

#include <gtest/gtest.h>

#include <optional>
#include <vector>

namespace pollard::vm {
namespace {

std::optional<int> rankOf(const QString& query, const QString& title, const QString& synonyms = {},
                          const QString& more = {}) {
    return FindableText(title, synonyms, more).rank(queryWords(query));
}

TEST(WordSearch, WantsEveryWord) {
    EXPECT_TRUE(rankOf(QStringLiteral("tree min"), QStringLiteral("Min-tree")));
    EXPECT_FALSE(rankOf(QStringLiteral("tree max"), QStringLiteral("Min-tree")));
    EXPECT_TRUE(rankOf({}, QStringLiteral("anything")));
    EXPECT_FALSE(rankOf(QStringLiteral("ope"), QStringLiteral("only the pixels, else")));
}

TEST(WordSearch, NamesAreBeginningsOfTitlesAndSynonyms) {
    const FindableText text(QStringLiteral("Pixel size from a bar"), QStringLiteral("set scale, Distance"), {});
    EXPECT_TRUE(text.isNamed(queryWords(QStringLiteral("pixel size"))));
    EXPECT_TRUE(text.isNamed(queryWords(QStringLiteral("distance"))));
    EXPECT_TRUE(text.isNamed(queryWords(QStringLiteral("set scale"))));
    EXPECT_FALSE(text.isNamed(queryWords(QStringLiteral("from"))));
    EXPECT_FALSE(text.isNamed(queryWords(QStringLiteral("pix"))));
    EXPECT_FALSE(text.isNamed(queryWords(QStringLiteral("scale"))));
}

TEST(WordSearch, KnowsNeitherCaseNorAccents) {
    EXPECT_TRUE(rankOf(QStringLiteral("creer"), QStringLiteral("Créer une région")));
    EXPECT_TRUE(rankOf(QStringLiteral("RÉGION"), QStringLiteral("Creer une region")));
    EXPECT_EQ(foldedText(QStringLiteral("Éléments ÇA")), QStringLiteral("elements ca"));
    EXPECT_TRUE(rankOf(QStringLiteral("d'échelle"), QStringLiteral("Barre d’échelle")));
}

TEST(WordSearch, RanksTitlesBeforeSynonymsAndWholeWordsBeforeParts) {
    const QString query = QStringLiteral("open");
    const std::vector<std::optional<int>> ranks{
        rankOf(query, QStringLiteral("Open")),
        rankOf(query, QStringLiteral("Open an image")),
        rankOf(query, QStringLiteral("Openings of an image")),
        rankOf(query, QStringLiteral("Load"), QStringLiteral("read, open")),
        rankOf(query, QStringLiteral("Reopen")),
        rankOf(query, QStringLiteral("Area"), QStringLiteral("opening, sieve")),
        rankOf(query, QStringLiteral("Recent"), QStringLiteral("last"), QStringLiteral("File › Open recent")),
    };
    for (std::size_t i = 0; i < ranks.size(); ++i) {
        ASSERT_TRUE(ranks[i]) << i;
        EXPECT_TRUE(i == 0 || *ranks[i - 1] < *ranks[i]) << i;
    }
    EXPECT_FALSE(rankOf(query, QStringLiteral("Load"), QStringLiteral("reopen"), QStringLiteral("reopen")))
        << "a part of another word";
}

HelpIndex twoPages() {
    HelpIndex index;
    index.add(QStringLiteral("a"), QStringLiteral("# Trees\nall about a max-tree\n## The `root`, and more\nlevel level "
                                                  "level\n```\n# no heading\n```\n"));
    index.add(QStringLiteral("b"), QStringLiteral("# Levels\nsay nothing of trees\n"));
    return index;
}

TEST(HelpIndex, CutsPagesAtTheirHeadingsButNotInCode) {
    const HelpIndex index = twoPages();
    ASSERT_EQ(index.sections().size(), 3);
    EXPECT_EQ(index.sections()[1].heading, QStringLiteral("The root, and more"));
    EXPECT_EQ(index.sections()[1].anchor, QStringLiteral("the-root-and-more"));
    EXPECT_EQ(index.sections()[1].title, QStringLiteral("Trees"));
    EXPECT_TRUE(index.sections()[1].text.contains(QStringLiteral("# no heading")));
    EXPECT_EQ(index.titleOf(QStringLiteral("b")), QStringLiteral("Levels"));
    EXPECT_TRUE(index.titleOf(QStringLiteral("c")).isEmpty());
}

TEST(HelpIndex, FindsHeadingsBeforeTexts) {
    const HelpIndex index = twoPages();
    const auto found = index.find(QStringLiteral("LEVEL"));
    ASSERT_EQ(found.size(), 2);
    EXPECT_EQ(found[0].page, QStringLiteral("b"));
    EXPECT_EQ(found[1].anchor, QStringLiteral("the-root-and-more"));
    EXPECT_TRUE(index.find(QStringLiteral("level unheard")).isEmpty()) << "all words have to be there";
    const auto pages = index.find({});
    ASSERT_EQ(pages.size(), 2) << "without words: the pages";
    EXPECT_EQ(pages[0].heading, QStringLiteral("Trees"));
}

TEST(HelpIndex, FindsSomePagesLast) {
    HelpIndex index;
    index.add(QStringLiteral("inside"), QStringLiteral("# Levels\nlevel level level\n"), true);
    index.add(QStringLiteral("window"), QStringLiteral("# Display\nthe level of black\n"));
    const auto found = index.find(QStringLiteral("level"));
    ASSERT_EQ(found.size(), 2);
    EXPECT_EQ(found[0].page, QStringLiteral("window"));
    EXPECT_EQ(found[1].page, QStringLiteral("inside"));
}

TEST(Citation, NamesTheVersionInBothForms) {
    EXPECT_TRUE(citationText(QStringLiteral("1.2.3")).contains(QStringLiteral("1.2.3")));
    const QString entry = citationBibTex(QStringLiteral("1.2.3"));
    EXPECT_TRUE(entry.contains(QStringLiteral("version = {1.2.3}")));
    EXPECT_EQ(entry.count(u'{'), entry.count(u'}'));
}

} // namespace
} // namespace pollard::vm
