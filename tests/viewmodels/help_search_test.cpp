#include "vm/base/citation.hpp"
#include "vm/base/word_search.hpp"
#include "vm/settings/help_index.hpp"

#include <gtest/gtest.h>

namespace pollard::vm {
namespace {

TEST(WordSearch, WantsEveryWord) {
    EXPECT_GT(matchScore(QStringLiteral("tree min"), QStringLiteral("Min-tree")), 0);
    EXPECT_EQ(matchScore(QStringLiteral("tree max"), QStringLiteral("Min-tree")), 0);
    EXPECT_GT(matchScore({}, QStringLiteral("anything")), 0);
}

TEST(WordSearch, KnowsNeitherCaseNorAccents) {
    EXPECT_GT(matchScore(QStringLiteral("creer"), QStringLiteral("Créer une région")), 0);
    EXPECT_GT(matchScore(QStringLiteral("RÉGION"), QStringLiteral("Creer une region")), 0);
    EXPECT_EQ(foldedText(QStringLiteral("Éléments ÇA")), QStringLiteral("elements ca"));
}

TEST(WordSearch, PrefersBeginningsOverMiddlesOverScatteredLetters) {
    const QString query = QStringLiteral("ope");
    const int begins = matchScore(query, QStringLiteral("Open an image"));
    const int word = matchScore(query, QStringLiteral("Region operations"));
    const int inside = matchScore(query, QStringLiteral("Properties"));
    const int scattered = matchScore(query, QStringLiteral("only the pixels, else"));
    EXPECT_GT(begins, word);
    EXPECT_GT(word, inside);
    EXPECT_GT(inside, scattered);
    EXPECT_GT(scattered, 0);
    EXPECT_EQ(matchScore(query, QStringLiteral("only the pixels, else"), false), 0);
    EXPECT_EQ(matchScore(query, QStringLiteral("Zoom in")), 0);
}

TEST(WordSearch, OneLetterIsNotScattered) {
    EXPECT_GT(matchScore(QStringLiteral("z"), QStringLiteral("Zoom")), 0);
    EXPECT_EQ(matchScore(QStringLiteral("z"), QStringLiteral("Open")), 0);
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

TEST(Citation, NamesTheVersionInBothForms) {
    EXPECT_TRUE(citationText(QStringLiteral("1.2.3")).contains(QStringLiteral("1.2.3")));
    const QString entry = citationBibTex(QStringLiteral("1.2.3"));
    EXPECT_TRUE(entry.contains(QStringLiteral("version = {1.2.3}")));
    EXPECT_EQ(entry.count(u'{'), entry.count(u'}'));
}

} // namespace
} // namespace pollard::vm
