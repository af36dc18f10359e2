"""Name the browser tests of the first tier: one for each script module, and one for each page or view.

All other browser tests run with `--all`, with `--changed`, or when their file is named.
"""

from __future__ import annotations

from typing import Final

MOST: Final = 70
"""So many tests at most."""
IN_FIRST_TIER: Final = {
    "tests/games/era_of_inventions/web/test_screens.py": {
        "TestScreens::test_on_a_desktop_the_longest_words_of_all_languages_fit": "table.html of this game",
    },
    "tests/games/era_of_inventions/web/test_table.py": {
        "test_a_folded_influence_track_stays_folded_in_the_same_browser": "folded-parts.js",
    },
    "tests/games/legendary_inventors/web/test_screens.py": {
        "TestScreens::test_on_a_desktop_the_longest_words_of_all_languages_fit": "table.html of this game",
    },
    "tests/games/paris_connection/web/test_screens.py": {
        "TestScreens::test_on_a_desktop_the_longest_words_of_all_languages_fit": "table.html of this game",
    },
    "tests/web/test_spectators.py": {
        "test_a_player_who_has_the_table_open_is_marked": "present-players.js",
    },
    "tests/web/test_move_banners.py": {
        "test_a_key_press_hides_a_banner_and_reduced_motion_shows_none": "playback-queue.js",
    },
    "tests/web/test_bell.py": {
        "test_the_beginning_of_a_players_turn_rings_and_notifies_if_the_player_chose_so[True]": "turn-alert.js",
        "test_only_one_tab_that_may_play_sound_rings[touched1]": "turn-alert.js in several tabs",
    },
    "tests/web/test_board_pictures.py": {
        "test_the_security_policy_of_a_board_picture_allows_only_its_own_styles": "the picture of a board",
    },
    "tests/web/test_bot_progress.py": {
        "test_the_progress_line_lasts_as_long_as_a_bot_thinks[expert-no-preference-1200]": "bot-progress.js",
    },
    "tests/web/test_browser.py": {
        "test_a_lost_connection_is_shown_and_the_page_catches_up_after_reconnecting": "stream-connection.js",
        "test_a_move_chosen_word_by_word_and_its_undo_appear_in_a_second_browser": "stream.js table.js",
        "test_eight_tabs_of_one_browser_share_one_stream": "stream-worker.js site-path.js",
        "test_without_a_script_a_move_is_chosen_and_confirmed_by_plain_forms": "move_confirm_page.html",
    },
    "tests/web/test_card.py": {"test_a_reference_card_is_printed_on_one_sheet[de]": "reference_card.html, printed"},
    "tests/web/test_catch_up.py": {
        "test_all_parts_of_the_page_except_the_board_show_the_newest_state_at_once": "board-playback.js",
        "test_the_playback_schedule_is_at_most_one_and_a_half_seconds_late[400-1000]": "catch-up.js",
    },
    "tests/web/test_chart.py": {
        "test_no_part_of_the_result_page_scrolls[de]": "result.html",
    },
    "tests/features/matchmaking/test_seek_pages.py": {
        "test_in_a_hidden_tab_the_table_is_announced_and_opened_when_its_person_comes_back": "matchmaking.js",
    },
    "tests/features/chat/test_chat_pages.py": {
        "test_messages_of_one_browser_appear_beside_the_log_in_another_browser": "chat.js speech-bubbles.js"
    },
    "tests/web/test_boards_in_view.py": {
        "test_tab_and_arrow_keys_reach_every_place_on_the_boards[start]": "board-keys.js",
    },
    "tests/web/test_clicks.py": {
        "test_a_disc_is_placed_in_two_clicks[mouse]": "repeat-mark.js",
        "test_an_inventor_is_sent_in_three_clicks[keys]": "board-marks.js and move-tree-reader.js on cards",
        "test_five_tracks_are_built_in_six_clicks[mouse]": "move-picker.js choice-drawing.js map.js",
        "test_a_share_is_traded_for_two_in_a_grid_with_the_values[mouse]": "move-grid.js",
    },
    "tests/web/test_clock.py": {
        "test_a_clock_is_set_up_in_every_language_and_shown_on_the_table_page": "time-zone.js",
    },
    "tests/web/test_duplicates.py": {
        "test_a_deal_is_created_played_and_compared_in_two_languages": "duplicate.html",
    },
    "tests/web/test_devices.py": {"test_the_devices_page_shows_a_new_device_at_once": "devices.html"},
    "tests/web/test_double_submit.py": {"test_a_double_click_plays_one_move": "move-picker.js at a server"},
    "tests/web/test_first_round.py": {
        "test_a_first_round_is_played_on_the_map_of_a_phone_with_reasons_and_steps_back": "lesson.js",
    },
    "tests/web/test_held_stream.py": {
        "test_a_page_whose_stream_is_held_back_requests_changes_and_shows_a_notice[body]": "stream-connection.js, held",
    },
    "tests/web/test_hot_seat.py": {
        "test_going_back_in_the_browser_leads_to_the_handoff_screen": "handoff-guard.js",
        "test_the_handoff_screen_appears_automatically_after_a_turn": "handoff.html",
    },
    "tests/web/test_identity.py": {
        "test_a_recovery_code_created_on_a_desk_signs_in_a_phone": "recovery_code.html",
    },
    "tests/web/test_installation.py": {"test_chromium_finds_the_site_installable": "the manifest"},
    "tests/web/test_keyboard.py": {
        "test_a_table_is_created_and_a_turn_played_with_tab_and_enter": "new_table.html",
        "test_a_turn_is_played_with_digit_keys_and_undone_with_a_letter_key": "choice-keys.js digit-key.js",
        "test_the_fixed_done_button_covers_no_focused_choice": "choice-focus.js focus-in-view.js",
    },
    "tests/web/test_limits.py": {
        "test_a_page_without_a_free_stream_shows_a_notice_until_a_stream_is_free": "stream_refused.html",
    },
    "tests/web/test_lobby.py": {
        "test_two_clicks_in_the_lobby_open_a_table_for_friends": "lobby.html, choose_game.html",
    },
    "tests/web/test_locales.py": {
        "test_a_script_formats_times_as_usual_in_the_region[de-AT]": "local-times.js, log.html"
    },
    "tests/web/test_long_actions.py": {
        "test_controls_in_the_foot_of_the_prompt_keep_their_place_and_undo_takes_back_one_step[desk]": "turn-moves.js",
    },
    "tests/web/test_move_animation.py": {
        "test_a_piece_travels_from_its_depot_to_its_hex_and_is_announced_once": "piece-animation.js",
        "test_sounds_play_only_for_players_who_turned_them_on": "sounds.js",
        "test_a_returning_player_sees_all_moves_since_their_last_turn": "turn-recap.js",
    },
    "tests/web/test_move_choice.py": {
        "test_chosen_words_lead_to_a_move_and_can_be_undone": "move-choice.js move-tree.js choice-view.js",
    },
    "tests/web/test_move_preview.py": {
        "test_a_move_is_previewed_on_the_map": "move-preview.js highlight.js reachability.js"
    },
    "tests/web/test_network_access.py": {
        "test_the_system_share_sheet_is_used_where_available": "share-buttons.js",
    },
    "tests/web/test_older_browsers.py": {
        "test_without_popovers_qr_codes_open_and_close_and_the_word_tree_is_hidden": "popovers.js scripting.js",
    },
    "tests/web/test_passkeys.py": {
        "test_a_passkey_made_on_a_desktop_signs_in_on_a_phone": "passkeys.js base64url.js, passkeys.html",
    },
    "tests/web/test_phone.py": {
        "test_a_tap_opens_the_log_or_a_section_of_the_boards_until_closed": "collapse.js page-state.js",
        "test_on_a_phone_the_lobby_shows_the_visitors_tables_and_play_now_and_collapses_the_rest": "lobby.js",
        "test_on_a_phone_rules_are_collapsed_and_contents_and_search_stay_visible": "rules-page.js",
    },
    "tests/web/test_phone_map.py": {
        "test_pinching_zooms_the_map_at_the_fingers": "map.js by touch",
    },
    "tests/features/planned_turns/test_plan_pages.py": {
        "test_a_turn_is_planned_on_the_board_and_its_result_is_shown_to_its_owner": "plan-page.js, plan.html",
    },
    "tests/web/test_play_now.py": {"test_one_click_starts_a_game_against_bots[paris-connection]": "quick_start.html"},
    "tests/web/test_playback_bar.py": {
        "test_on_a_scrolled_phone_the_caption_takes_the_place_of_the_question": "playback-lanes.js",
    },
    "tests/web/test_puzzles.py": {
        "test_the_browser_remembers_solved_puzzles_and_the_streak": "puzzles.js, puzzle.html"
    },
    "tests/web/test_page_reload.py": {
        "test_a_page_of_another_build_reloads_unless_text_has_been_typed": "stream.js of another build",
    },
    "tests/web/test_replay.py": {
        "test_the_replay_plays_automatically_and_by_buttons_keys_and_slider": "replay.js deltas.js, replay.html"
    },
    "tests/web/test_end_scene.py": {
        "test_points_are_counted_then_a_bot_speaks_and_the_laurel_lands[desk-1366-650]": "end-scene.js",
    },
    "tests/web/test_seat_reclaim.py": {
        "test_a_seat_request_appears_at_once_and_is_answered_by_keyboard_or_without_a_script": "consent_requests.html",
    },
    "tests/web/test_service_worker.py": {
        "test_a_push_shows_a_notification_and_the_offline_page_lists_tables": (
            "service-worker.js push-subscription.js app-badge.js"
        ),
    },
    "tests/web/test_short_scripts.py": {
        "test_the_contents_of_a_chosen_file_are_put_into_the_text_field": "file-to-text.js",
        "test_notification_permission_is_requested_only_after_a_click": "notification-permission.js",
    },
    "tests/web/test_steady_lessons.py": {"test_on_a_phone_the_box_of_a_lesson_cuts_no_line[de]": "fit-lesson.js"},
    "tests/web/test_steady_table.py": {
        "test_in_a_low_window_the_explanation_of_a_lesson_scrolls_and_its_choices_are_fully_visible": "fit-prompt.js",
    },
    "tests/web/test_table_menu.py": {
        "test_leaving_from_the_menu_needs_a_confirmation_and_the_lobby_links_back": "the questions in the prompt",
    },
    "tests/web/test_symbol_names.py": {
        "test_keyboard_focus_and_a_resting_finger_show_the_name_of_a_place": "symbol-names.js",
    },
    "tests/web/test_worked_examples.py": {
        "test_a_worked_example_is_stepped_through_by_keyboard[screen1-de]": "guide.html",
    },
}
"""By file: its tests, each with the script modules or the page that it represents."""
LATER: Final = {"analysis.js": "an analysis needs a compiled search"}
"""Script modules that the first tier does without, and why."""
