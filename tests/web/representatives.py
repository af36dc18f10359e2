"""The browser tests of the first tier: one for each script module, and one for each page or view that has something to
show in a browser. All other browser tests run with `--all`, with `--changed`, or when their file is named.
"""

from __future__ import annotations

from typing import Final

MOST: Final = 70
"""So many tests at most."""
IN_FIRST_TIER: Final = {
    "tests/games/era_of_inventions/web/test_screens.py": {
        "TestScreens::test_at_a_desk_the_longest_words_of_all_languages_have_room": "table.html of this game",
    },
    "tests/games/era_of_inventions/web/test_table.py": {
        "test_the_influence_track_is_folded_and_stays_so_in_this_browser": "folded-parts.js",
    },
    "tests/games/legendary_inventors/web/test_screens.py": {
        "TestScreens::test_at_a_desk_the_longest_words_of_all_languages_have_room": "table.html of this game",
    },
    "tests/games/paris_connection/web/test_screens.py": {
        "TestScreens::test_at_a_desk_the_longest_words_of_all_languages_have_room": "table.html of this game",
    },
    "tests/web/test_beats.py": {
        "test_a_key_ends_a_beat_that_hides_no_choice_and_with_reduced_motion_there_is_none": "playback-queue.js",
    },
    "tests/web/test_bell.py": {
        "test_my_turn[True]": "turn-alert.js",
        "test_one_tab_rings_and_it_may[touched1]": "turn-alert.js in several tabs",
    },
    "tests/web/test_board_pictures.py": {
        "test_a_picture_has_its_colours_and_no_other_styles_are_allowed": "the picture of a board",
    },
    "tests/web/test_bot_progress.py": {"test_how_far_a_bot_is[expert-no-preference-1200]": "bot-progress.js"},
    "tests/web/test_browser.py": {
        "test_a_lost_line_is_shown_and_heals_with_the_current_state": "stream-connection.js",
        "test_a_turn_word_by_word_with_undo_and_a_second_browser_that_sees_it": "move-tree.js stream.js table.js",
        "test_eight_tabs_of_one_browser_share_one_stream": "stream-worker.js",
        "test_leaving_asks_in_the_prompt_and_the_lobby_leads_back": "the questions in the prompt",
        "test_without_a_script_a_move_is_a_plain_form": "move_confirm_page.html",
    },
    "tests/web/test_card.py": {"test_a_card_is_one_sheet_of_paper[de]": "reference_card.html, printed"},
    "tests/web/test_catch_up.py": {
        "test_all_but_the_board_is_of_the_newest_state_at_once": "board-playback.js",
        "test_the_schedule_is_at_most_one_and_a_half_seconds_behind[400-1000]": "catch-up.js",
    },
    "tests/web/test_chart.py": {
        "test_the_end_is_a_page_of_its_own_in_which_nothing_scrolls[de]": "result.html",
    },
    "tests/web/test_chat.py": {"test_two_browsers_talk_beside_the_log": "chat.js"},
    "tests/web/test_clicks.py": {
        "test_a_disc_is_placed[mouse]": "again-mark.js",
        "test_an_inventor_is_sent[keys]": "move-picker.js on cards",
        "test_five_are_built_beginning_on_the_map[mouse]": "move-picker.js and map.js",
        "test_one_share_is_traded_for_two_in_a_grid_with_the_values[mouse]": "move-grid.js",
        "test_tab_and_arrows_lead_to_every_place[start]": "board-keys.js",
    },
    "tests/web/test_clock.py": {
        "test_a_clock_is_set_up_in_every_language_and_said_at_the_table": "time-zone.js",
    },
    "tests/web/test_deals.py": {
        "test_from_the_set_up_to_the_comparison_in_two_languages": "duplicate.html",
    },
    "tests/web/test_devices.py": {"test_the_old_device_is_told": "devices.html"},
    "tests/web/test_double_submit.py": {"test_a_double_click_is_one_move": "move-picker.js at a server"},
    "tests/web/test_first_round.py": {
        "test_on_a_phone_by_the_map_with_another_move_a_reason_and_the_way_back": "lesson.js",
    },
    "tests/web/test_held_stream.py": {
        "test_a_page_whose_stream_is_held_back_asks_for_changes_and_says_so[body]": "stream-connection.js, held back",
    },
    "tests/web/test_hot_seat.py": {
        "test_back_leads_before_the_curtain": "handoff-guard.js",
        "test_the_curtain_falls_by_itself": "handoff.html",
    },
    "tests/web/test_identity.py": {
        "test_the_code_is_printed_and_typed_on_the_telephone": "recovery_code.html",
    },
    "tests/web/test_installation.py": {"test_chromium_would_install_it": "the manifest"},
    "tests/web/test_keyboard.py": {
        "test_a_table_is_set_up_and_a_turn_played_by_tab_and_enter": "new_table.html",
        "test_a_turn_by_digits_that_is_undone_by_a_letter": "digit-key.js",
        "test_done_which_stays_in_place_hides_no_choice_that_has_the_focus": "focus-in-view.js",
    },
    "tests/web/test_limits.py": {
        "test_a_page_says_that_too_many_follow_and_when_it_may_itself": "stream_refused.html",
    },
    "tests/web/test_lobby.py": {
        "test_from_the_lobby_to_a_table_for_friends_in_two_clicks": "lobby.html, choose_game.html",
    },
    "tests/web/test_locales.py": {"test_a_script_shows_times_as_the_region_does[de-AT]": "local-times.js, log.html"},
    "tests/web/test_long_actions.py": {
        "test_the_foot_stays_where_it_is_and_undo_leads_one_step_back[desk]": "turn-moves.js",
    },
    "tests/web/test_move_animation.py": {
        "test_a_piece_travels_from_its_depot_to_its_hex_and_is_said_there_once": "piece-animation.js",
        "test_sounds_are_for_who_asked_for_them": "sounds.js",
        "test_who_comes_back_sees_what_happened_since_their_whole_turn": "turn-recap.js",
    },
    "tests/web/test_move_preview.py": {"test_on_the_map": "move-preview.js highlight.js reachability.js"},
    "tests/web/test_network_access.py": {
        "test_the_system_is_asked_to_share_where_it_can": "share-buttons.js",
    },
    "tests/web/test_older_browsers.py": {
        "test_a_browser_of_2022_opens_and_shuts_codes_and_shows_no_word_tree": "popovers.js scripting.js",
    },
    "tests/web/test_passkeys.py": {
        "test_made_on_the_desk_and_used_on_the_telephone": "passkeys.js base64url.js, passkeys.html",
    },
    "tests/web/test_phone.py": {
        "test_a_tap_opens_the_log_and_a_part_of_the_boards_and_they_stay_open": "collapse.js page-state.js",
        "test_the_lobby_shows_my_tables_and_play_now_and_folds_the_rest": "lobby.js",
        "test_the_rules_are_folded_with_contents_and_a_search_that_stay_in_sight": "rules-page.js",
        "test_two_fingers_make_the_map_larger_where_they_are": "map.js by touch",
    },
    "tests/web/test_plans.py": {
        "test_a_turn_is_planned_on_the_board_and_its_owner_is_told": "plan-page.js, plan.html",
    },
    "tests/web/test_play_now.py": {"test_one_click_and_the_game_runs[paris-connection]": "quick_start.html"},
    "tests/web/test_puzzles.py": {"test_it_is_missed_hinted_solved_and_marked": "puzzles.js, puzzle.html"},
    "tests/web/test_renewed.py": {
        "test_a_page_of_another_build_reloads_unless_something_is_typed": "stream.js of another build",
    },
    "tests/web/test_replay.py": {"test_by_buttons_keys_slider_and_by_itself": "replay.js deltas.js, replay.html"},
    "tests/web/test_replay_keys.py": {"test_each_press_of_a_key_counts": "replay.js by keys"},
    "tests/web/test_result.py": {
        "test_the_result_comes_without_a_click_and_is_counted_out": "result.js",
    },
    "tests/web/test_seat_reclaim.py": {
        "test_the_question_comes_at_once_and_is_answered_by_keyboard_or_without_a_script": "consent_requests.html",
    },
    "tests/web/test_service_worker.py": {
        "test_told_by_a_push_and_shown_without_a_connection": "service-worker.js push-subscription.js app-badge.js",
    },
    "tests/web/test_short_scripts.py": {
        "test_a_chosen_file_is_put_into_the_text_field": "file-to-text.js",
        "test_permission_is_asked_for_only_on_request": "notification-permission.js",
    },
    "tests/web/test_sliding_cards.py": {
        "test_cards_slide_to_their_new_places_unless_their_row_is_folded[-sliding0]": "piece-animation.js with cards",
    },
    "tests/web/test_steady_table.py": {
        "test_in_a_low_window_the_explanation_of_a_lesson_is_scrolled_and_its_choices_are_whole": "fit-prompt.js",
    },
    "tests/web/test_symbol_names.py": {
        "test_a_place_with_the_focus_and_a_finger_that_rests_are_told": "symbol-names.js",
    },
    "tests/web/test_worked_examples.py": {
        "test_an_example_is_stepped_through_by_keys_on_its_board[screen1-de]": "guide.html",
    },
}
"""By file: its tests, each with the script modules or the page that it represents."""
LATER: Final = {"analysis.js": "an analysis needs a compiled search"}
"""Script modules that the first tier does without, and why."""
